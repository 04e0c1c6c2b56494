// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Batches that are records of tensors, for models with several inputs: token ids with a mask,
/// pairs of images, numbers beside categories. A component may itself be such a record.
///
/// ```java
/// record Sentences(Tensor ids, Tensor mask, Tensor labels) {}
///
/// var loader = DataLoader.of(examples, 32, Records::collate);
/// ```
public final class Records {
  private Records() {}

  /// Combines examples into a batch of the same record class: stacks the tensors of each component
  /// along a new first axis. A label is a tensor without axes, such as `Tensor.of(Shape.SCALAR, new
  /// long[] {3})`. Like torch's `default_collate`. Use it as the `collate` function of a
  /// [DataLoader].
  ///
  /// @throws IllegalArgumentException if there are no examples, their shapes differ, or a component
  ///     is neither a tensor nor such a record
  public static <R extends Record> R collate(List<R> examples) {
    if (examples.isEmpty()) {
      throw new IllegalArgumentException("records: no examples; a batch needs at least one");
    }
    return collateAs(examples);
  }

  /// Returns the examples of a batch as a data set: example `i` has row `i` of each tensor. The
  /// inverse of [#collate].
  ///
  /// @throws IllegalArgumentException under the same conditions as [#size]
  public static <R extends Record> Dataset<R> examples(R batch) {
    return Dataset.of(size(batch), row -> example(batch, row));
  }

  private static <R extends Record> R example(R batch, int row) {
    List<Object> parts = new ArrayList<>();
    for (RecordComponent component : batch.getClass().getRecordComponents()) {
      Object value = value(batch, component);
      parts.add(
          value instanceof Tensor tensor ? tensor.select(0, row) : example((Record) value, row));
    }
    return create(batch, parts);
  }

  private static <R extends Record> R collateAs(List<R> examples) {
    R first = examples.getFirst();
    List<Object> parts = new ArrayList<>();
    for (RecordComponent component : first.getClass().getRecordComponents()) {
      List<Object> values = examples.stream().map(example -> value(example, component)).toList();
      parts.add(
          values.getFirst() instanceof Tensor
              ? stack(component, values.stream().map(Tensor.class::cast).toList())
              : collateAs(values.stream().map(Record.class::cast).toList()));
    }
    return create(first, parts);
  }

  private static Tensor stack(RecordComponent component, List<Tensor> values) {
    try {
      return Tensor.stack(values, 0);
    } catch (IllegalArgumentException e) {
      throw new ShapeException("records", "%s: %s".formatted(qualified(component), e.getMessage()));
    }
  }

  /// Returns the number of examples in a batch: the first size that all its tensors have.
  ///
  /// @param batch a tensor, or a record or list of tensors, such as a [Batch]
  /// @throws ShapeException if the first sizes differ
  /// @throws IllegalArgumentException if `batch` is none of these, or has no tensors
  public static int size(Object batch) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    tensors(batch)
        .forEach(
            (name, tensor) ->
                sizes.put(name, tensor.shape().rank() == 0 ? 1 : tensor.shape().size(0)));
    Set<Integer> distinct = new TreeSet<>(sizes.values());
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException(
          "records: %s has no tensors".formatted(batch.getClass().getSimpleName()));
    }
    if (distinct.size() > 1) {
      throw new ShapeException(
          "records",
          "the tensors of a batch have different first sizes, %s; override size of TrainingStep"
              .formatted(sizes));
    }
    return distinct.iterator().next();
  }

  /// Returns the tensors of a batch by name, such as `Pairs.left`, in the order of the components.
  ///
  /// @param batch a tensor, or a record or list of tensors, records and lists
  /// @throws IllegalArgumentException if `batch` is none of these
  public static SequencedMap<String, Tensor> tensors(Object batch) {
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    addTensors(batch.getClass().getSimpleName(), batch, tensors);
    return tensors;
  }

  private static void addTensors(String name, @Nullable Object value, Map<String, Tensor> tensors) {
    switch (value) {
      case Tensor tensor -> tensors.put(name, tensor);
      case Record record -> {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
          addTensors(name + "." + component.getName(), read(record, component), tensors);
        }
      }
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          addTensors(name + "[" + i + "]", list.get(i), tensors);
        }
      }
      case null, default ->
          throw new IllegalArgumentException(
              "records: %s is %s; expected a tensor, or a record or list of tensors"
                  .formatted(name, described(value)));
    }
  }

  /// Returns a copy of a batch with other tensors.
  ///
  /// @param batch a tensor, or a record or list of tensors, records and lists
  /// @param tensors the other tensors, in the order of [#tensors]
  @SuppressWarnings("unchecked")
  public static <B> B withTensors(B batch, List<Tensor> tensors) {
    return (B) withNext(batch, tensors.iterator());
  }

  private static Object withNext(@Nullable Object value, Iterator<Tensor> tensors) {
    return switch (value) {
      case Record record -> {
        List<Object> parts = new ArrayList<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
          parts.add(withNext(read(record, component), tensors));
        }
        yield create(record, parts);
      }
      case List<?> list -> list.stream().map(element -> withNext(element, tensors)).toList();
      case null, default -> tensors.next();
    };
  }

  private static Object value(Record record, RecordComponent component) {
    Object value = read(record, component);
    if (value instanceof Tensor || value instanceof Record) {
      return value;
    }
    throw new IllegalArgumentException(
        "records: %s is %s; expected a tensor or a record of tensors"
            .formatted(qualified(component), described(value)));
  }

  private static @Nullable Object read(Record record, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true); // the record may be private to a program
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "records: cannot read %s (%s)".formatted(qualified(component), e), e);
    }
  }

  private static String described(@Nullable Object value) {
    return value == null ? "null" : "a " + value.getClass().getName();
  }

  private static String qualified(RecordComponent component) {
    return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> R create(R like, List<Object> parts) {
    Class<?>[] types =
        Arrays.stream(like.getClass().getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      var constructor = like.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (R) constructor.newInstance(parts.toArray());
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "records: %s rejects the batch: %s"
              .formatted(like.getClass().getSimpleName(), e.getCause()),
          e);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "records: cannot create a %s (%s)".formatted(like.getClass().getSimpleName(), e), e);
    }
  }
}
