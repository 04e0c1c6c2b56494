// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// A data set whose examples are the rows of tensors: example `i` consists of row `i` (along the
/// first axis) of each tensor. Like torch's `TensorDataset`.
///
/// Shares the tensors' memory, but later updates of the tensors do not change the data set.
public final class TensorDataset implements Dataset<List<Tensor>> {
  private final List<Tensor> tensors;
  private final int size;

  private TensorDataset(List<Tensor> tensors, int size) {
    this.tensors = tensors;
    this.size = size;
  }

  /// Returns a data set of the rows of the given tensors, such as inputs `[n, 4]` and labels `[n]`.
  ///
  /// @throws ShapeException if there are no tensors, or their numbers of rows differ
  public static TensorDataset of(Tensor... tensors) {
    String[] names =
        IntStream.range(0, tensors.length).mapToObj(i -> "tensor " + i).toArray(String[]::new);
    return of(names, Arrays.asList(tensors));
  }

  /// Returns a data set of the rows of the tensors with these names, in the order of the names. The
  /// tensors may come from a file that [dev.tensorbus.nn.safetensors.Safetensors] has read.
  ///
  /// @throws DataException if there is no tensor with such a name
  /// @throws ShapeException if there are no names, or the numbers of rows differ
  public static TensorDataset of(Map<String, Tensor> named, String... names) {
    List<Tensor> tensors = new ArrayList<>();
    for (String name : names) {
      Tensor tensor = named.get(name);
      if (tensor == null) {
        throw new DataException(
            "no tensor \"%s\"; expected one of %s".formatted(name, named.keySet()));
      }
      tensors.add(tensor);
    }
    return of(names, tensors);
  }

  private static TensorDataset of(String[] names, List<Tensor> tensors) {
    if (names.length == 0) {
      throw new ShapeException("data set", "no tensors; pass at least one");
    }
    for (int i = 0; i < names.length; i++) {
      requireRows(names[0], tensors.getFirst().shape(), names[i], tensors.get(i).shape());
    }
    return new TensorDataset(
        tensors.stream().map(Tensor::detach).toList(), tensors.getFirst().shape().size(0));
  }

  private static void requireRows(String firstName, Shape first, String name, Shape shape) {
    if (shape.rank() == 0) {
      throw new ShapeException("data set", name + " is a single value; expected a row per example");
    }
    if (shape.size(0) != first.size(0)) {
      throw new ShapeException(
          "data set",
          "%s %s has %d rows, %s %s has %d; expected the same number"
              .formatted(firstName, first, first.size(0), name, shape, shape.size(0)));
    }
  }

  /// Returns examples that pair each row of the inputs `[n, …]` with its class.
  ///
  /// @param labels the class indices, int64 `[n]`
  /// @throws ShapeException if the labels do not have the shape `[n]`
  /// @throws IllegalArgumentException if the labels are not int64, or one is negative or does not
  ///     fit in an int
  public static Dataset<Example> examples(Tensor inputs, Tensor labels) {
    TensorDataset rows = of(new String[] {"inputs", "labels"}, List.of(inputs, labels));
    if (labels.shape().rank() != 1) {
      throw new ShapeException(
          "data set", "labels have the shape " + labels.shape() + "; expected one axis");
    }
    int[] classes = classes(labels);
    Tensor kept = rows.tensors.getFirst();
    return Dataset.of(classes.length, i -> new Example(kept.select(0, i), classes[i]));
  }

  private static int[] classes(Tensor labels) {
    if (labels.dtype() != DType.INT64) {
      throw new IllegalArgumentException(
          "data set: labels are " + labels.dtype() + "; convert them with to(DType.INT64)");
    }
    long[] numbers = labels.longs();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0 || numbers[i] > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "data set: label %d is %d; expected a class of 0 or more".formatted(i, numbers[i]));
      }
    }
    return LongStream.of(numbers).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<Tensor> get(int index) {
    int row = Objects.checkIndex(index, size);
    return tensors.stream().map(tensor -> tensor.select(0, row)).toList();
  }

  /// Stacks rows into tensors again. Use it as the `collate` function of a [DataLoader].
  ///
  /// @throws ShapeException if the shapes of the rows differ
  /// @throws IllegalArgumentException if there are no rows
  public static List<Tensor> stack(List<List<Tensor>> rows) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("stack: no rows; pass at least one");
    }
    return IntStream.range(0, rows.getFirst().size())
        .mapToObj(i -> Tensor.stack(rows.stream().map(row -> row.get(i)).toList(), 0))
        .toList();
  }
}
