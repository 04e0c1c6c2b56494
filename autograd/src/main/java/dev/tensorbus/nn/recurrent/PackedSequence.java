// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Sequences of different lengths without padding: the first values of all sequences, then the
/// second values of all sequences that have one, and so on. The sequences are sorted by length, the
/// longest first. This is the layout that recurrent networks process. Like
/// `torch.nn.utils.rnn.PackedSequence`.
///
/// Sequences may be given in any order, as with torch's `enforce_sorted=False`: results and states
/// are in the original order.
///
/// ```java
/// var packed = PackedSequence.packPaddedSequence(words, 3, 7, 5);
/// Tensor hidden = lstm.forward(packed).sequence().padPackedSequence(0);
/// ```
///
/// @param data `[values, …]`
/// @param batchSizes the number of sequences that have a first value, a second value, and so on
/// @param sortedIndices the original index of each sequence, the longest sequence first
public record PackedSequence(Tensor data, List<Integer> batchSizes, List<Integer> sortedIndices) {
  /// @throws IllegalArgumentException if batch sizes increase, or the sizes are inconsistent
  public PackedSequence {
    batchSizes = List.copyOf(batchSizes);
    sortedIndices = List.copyOf(sortedIndices);
    int values = batchSizes.stream().mapToInt(Integer::intValue).sum();
    int sequences = sortedIndices.size();
    if (data.shape().rank() == 0 || data.shape().size(0) != values) {
      throw new ShapeException(
          "packedSequence",
          "data " + data.shape() + "; expected " + values + " rows, the sum of the batch sizes");
    }
    if (sequences == 0
        || !sortedIndices.stream().sorted().toList().equals(list(IntStream.range(0, sequences)))
        || batchSizes.getFirst() != sequences
        || batchSizes.getLast() < 1
        || !batchSizes.stream().sorted(Comparator.reverseOrder()).toList().equals(batchSizes)) {
      throw new IllegalArgumentException(
          ("packedSequence: batch sizes %s and indices %s; expected each index once, as many"
                  + " indices as the first batch size, and positive batch sizes that do not"
                  + " increase")
              .formatted(batchSizes, sortedIndices));
    }
  }

  /// Packs the sequences of `[steps, batch, …]`, without the padding at their ends. Like torch's
  /// `pack_padded_sequence`.
  ///
  /// @param lengths the length of each sequence
  /// @throws ShapeException if `x` does not contain one sequence for each length, or has too few
  ///     steps
  /// @throws IllegalArgumentException if a sequence is empty
  public static PackedSequence packPaddedSequence(Tensor x, int... lengths) {
    int[] sizes = x.shape().toArray();
    if (sizes.length < 2
        || sizes[1] != lengths.length
        || Arrays.stream(lengths).anyMatch(length -> length > sizes[0])) {
      throw new ShapeException(
          "packPaddedSequence",
          ("%s does not fit the lengths %s; expected [steps, batch, …], one length per sequence,"
                  + " and none above steps")
              .formatted(x.shape(), Arrays.toString(lengths)));
    }
    int[] flat = Arrays.copyOfRange(sizes, 1, sizes.length);
    flat[0] = sizes[0] * sizes[1];
    return pack(x.reshape(flat), lengths, IntStream.range(0, sizes[1]).toArray(), sizes[1]);
  }

  /// Packs sequences, each `[length, …]`. Like torch's `pack_sequence`.
  ///
  /// @throws ShapeException if the sequences differ on an axis other than the first
  /// @throws IllegalArgumentException if there is no sequence, or one is empty
  public static PackedSequence packSequence(List<Tensor> sequences) {
    int[] lengths = sequences.stream().mapToInt(each -> each.shape().size(0)).toArray();
    int[] starts = new int[lengths.length];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + lengths[i - 1];
    }
    return pack(Tensor.concatenate(sequences, 0), lengths, starts, 1);
  }

  /// Stacks sequences, each `[length, …]`, into `[steps, batch, …]`, padding them at the end
  /// with the given value. Like torch's `pad_sequence`.
  ///
  /// @throws ShapeException if the sequences differ on an axis other than the first
  /// @throws IllegalArgumentException if there is no sequence, or one is empty
  public static Tensor padSequence(List<Tensor> sequences, double paddingValue) {
    return packSequence(sequences).padPackedSequence(paddingValue);
  }

  /// Packs sequences whose values are rows of a tensor.
  ///
  /// @param starts the row at which each sequence begins
  /// @param stride the number of rows from one value of a sequence to the next
  private static PackedSequence pack(Tensor rows, int[] lengths, int[] starts, int stride) {
    if (lengths.length == 0 || Arrays.stream(lengths).anyMatch(length -> length < 1)) {
      throw new IllegalArgumentException(
          "packSequence: lengths %s; expected at least one sequence, each with at least one value"
              .formatted(Arrays.toString(lengths)));
    }
    int[] sorted =
        IntStream.range(0, lengths.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> -lengths[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Integer> batchSizes =
        list(IntStream.range(0, lengths[sorted[0]]).map(step -> longer(lengths, step)));
    long[] places =
        IntStream.range(0, batchSizes.size())
            .boxed()
            .flatMapToLong(
                step ->
                    Arrays.stream(sorted, 0, batchSizes.get(step))
                        .mapToLong(i -> starts[i] + (long) step * stride))
            .toArray();
    Tensor data = rows.indexSelect(0, Tensor.ofLongs(places));
    return new PackedSequence(data, batchSizes, list(Arrays.stream(sorted)));
  }

  private static int longer(int[] lengths, int step) {
    return (int) Arrays.stream(lengths).filter(length -> length > step).count();
  }

  private static List<Integer> list(IntStream values) {
    return values.boxed().toList();
  }

  /// Returns the sequences as `[steps, batch, …]`, padded at the end with the given value. Like
  /// torch's `pad_packed_sequence`, whose second result is [#lengths].
  public Tensor padPackedSequence(double paddingValue) {
    int[] sizes = data.shape().toArray();
    int values = sizes[0];
    long[] places = new long[batchSizes.size() * sortedIndices.size()];
    Arrays.fill(places, values);
    int value = 0;
    for (int step = 0; step < batchSizes.size(); step++) {
      for (int i = 0; i < batchSizes.get(step); i++) {
        places[step * sortedIndices.size() + sortedIndices.get(i)] = value++;
      }
    }
    sizes[0] = 1;
    Tensor padding = Tensor.full(Shape.of(sizes), data.dtype(), paddingValue);
    int[] padded = new int[sizes.length + 1];
    System.arraycopy(sizes, 0, padded, 1, sizes.length);
    padded[0] = batchSizes.size();
    padded[1] = sortedIndices.size();
    return Tensor.concatenate(List.of(data, padding), 0)
        .indexSelect(0, Tensor.ofLongs(places))
        .reshape(padded);
  }

  /// Returns the length of each sequence.
  public int[] lengths() {
    int[] lengths = new int[sortedIndices.size()];
    for (int size : batchSizes) {
      for (int i = 0; i < size; i++) {
        lengths[sortedIndices.get(i)]++;
      }
    }
    return lengths;
  }

  /// Returns sequences of the same lengths with the given values, such as
  /// `packed.withData(embedding.forward(words))`.
  ///
  /// @throws ShapeException if the number of values differs
  public PackedSequence withData(Tensor data) {
    return new PackedSequence(data, batchSizes, sortedIndices);
  }

  /// Reorders an axis from the original order of the sequences to longest first.
  Tensor sorted(Tensor x, int axis) {
    long[] places = sortedIndices.stream().mapToLong(Integer::longValue).toArray();
    return x.indexSelect(axis, Tensor.ofLongs(places));
  }

  /// Undoes [#sorted].
  Tensor unsorted(Tensor x, int axis) {
    long[] places = new long[sortedIndices.size()];
    for (int i = 0; i < places.length; i++) {
      places[sortedIndices.get(i)] = i;
    }
    return x.indexSelect(axis, Tensor.ofLongs(places));
  }
}
