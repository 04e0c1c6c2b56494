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

/// A data set with random access to its examples. Like torch's map-style `Dataset`.
///
/// Implementations must be thread-safe, since a [DataLoader] may prefetch on several threads.
///
/// @param <T> type of an example
public interface Dataset<T> extends Iterable<T> {
  /// Returns the number of examples.
  int size();

  /// Returns an example.
  ///
  /// @param index index of the example, from 0 to [#size] - 1
  T get(int index);

  /// Iterates over the examples in order. If reading an example fails, the iterator continues with
  /// the next one.
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

  /// Returns a data set backed by a list, without copying the list.
  static <T> Dataset<T> of(List<T> examples) {
    return of(examples.size(), examples::get);
  }

  /// Returns a data set that creates or reads examples on request.
  ///
  /// @param size number of examples
  /// @param example returns the example at an index
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

  /// Returns a data set that applies `transform` each time an example is requested.
  default <R> Dataset<R> map(Function<? super T, ? extends R> transform) {
    return of(size(), index -> transform.apply(get(index)));
  }

  /// Returns the examples with the given indices. Like torch's `Subset`.
  ///
  /// @throws IndexOutOfBoundsException if an index is negative or not below [#size]
  default Dataset<T> subset(int... indices) {
    int[] chosen = indices.clone();
    for (int index : chosen) {
      Objects.checkIndex(index, size());
    }
    return of(chosen.length, index -> get(chosen[index]));
  }

  /// Splits the examples randomly into parts of the given sizes, such as one for training and one
  /// for validation. Generators with equal seeds yield equal parts. Like torch's `random_split`.
  ///
  /// @throws IllegalArgumentException if the sizes do not add up to [#size]
  default List<Dataset<T>> randomSplit(RandomGenerator random, int... sizes) {
    if (IntStream.of(sizes).asLongStream().sum() != size()) {
      throw new IllegalArgumentException(
          "sizes %s do not add up to the %d examples; use sizes that do"
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
