// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Examples, each by its number. After torch's map-style `Dataset`.
///
/// Several threads may ask for examples at once, since a [DataLoader] fetches ahead.
///
/// @param <T> an example
public interface Dataset<T> extends Iterable<T> {
  /// How many examples there are.
  int size();

  /// One of them.
  ///
  /// @param index from 0 to [#size] - 1
  T get(int index);

  /// All examples in their order. After an example that throws comes the next one.
  @Override
  default Iterator<T> iterator() {
    return new Iterator<>() {
      private final PrimitiveIterator.OfInt indices = IntStream.range(0, size()).iterator();

      @Override
      public boolean hasNext() {
        return indices.hasNext();
      }

      @Override
      public T next() {
        return get(indices.nextInt());
      }
    };
  }

  /// These examples. The list is not copied.
  static <T> Dataset<T> of(List<T> examples) {
    return of(examples.size(), examples::get);
  }

  /// Examples that are made or read when they are asked for.
  ///
  /// @param size how many there are
  /// @param example gives one by its number
  static <T> Dataset<T> of(int size, IntFunction<? extends T> example) {
    return new Dataset<>() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public T get(int index) {
        return example.apply(Objects.checkIndex(index, size));
      }
    };
  }

  /// The same examples after a transformation, which runs whenever one is asked for.
  default <R> Dataset<R> map(Function<? super T, ? extends R> transform) {
    return of(size(), index -> transform.apply(get(index)));
  }

  /// Some of the examples. After torch's `Subset`.
  ///
  /// @throws IndexOutOfBoundsException if there is no example of such a number
  default Dataset<T> subset(int... indices) {
    int[] chosen = indices.clone();
    for (int index : chosen) {
      Objects.checkIndex(index, size());
    }
    return of(chosen.length, index -> get(chosen[index]));
  }

  /// Parts of these sizes, such as one to train on and one to validate with. Each example is in one
  /// of them, drawn at random; equal generators draw equal parts. After torch's `random_split`.
  ///
  /// @throws IllegalArgumentException if the sizes do not add up to [#size]
  default List<Dataset<T>> randomSplit(RandomGenerator random, int... sizes) {
    if (IntStream.of(sizes).asLongStream().sum() != size()) {
      throw new IllegalArgumentException(
          "parts of %s examples cannot be made of %d; give sizes that add up to it"
              .formatted(Arrays.toString(sizes), size()));
    }
    int[] order = Sampler.permutation(size(), random);
    List<Dataset<T>> parts = new ArrayList<>();
    int from = 0;
    for (int size : sizes) {
      parts.add(subset(Arrays.copyOfRange(order, from, from + size)));
      from += size;
    }
    return parts;
  }
}
