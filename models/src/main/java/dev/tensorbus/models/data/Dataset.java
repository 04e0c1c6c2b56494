// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Examples, each by its number. After torch's map-style `Dataset`.
///
/// Several threads may ask for examples at once, since a [DataLoader] fetches ahead.
///
/// @param <T> an example
public interface Dataset<T> {
  /// How many examples there are.
  int size();

  /// One of them.
  ///
  /// @param index from 0 to [#size] - 1
  T get(int index);

  /// These examples. The list is not copied.
  static <T> Dataset<T> of(List<T> examples) {
    return new Dataset<>() {
      @Override
      public int size() {
        return examples.size();
      }

      @Override
      public T get(int index) {
        return examples.get(index);
      }
    };
  }

  /// What `transform` makes of each example, whenever it is asked for.
  default <R> Dataset<R> map(Function<? super T, ? extends R> transform) {
    Dataset<T> whole = this;
    return new Dataset<>() {
      @Override
      public int size() {
        return whole.size();
      }

      @Override
      public R get(int index) {
        return transform.apply(whole.get(index));
      }
    };
  }

  /// Some of the examples. After torch's `Subset`.
  ///
  /// @throws IndexOutOfBoundsException if there is no example of such a number
  default Dataset<T> subset(int... indices) {
    int[] chosen = indices.clone();
    for (int index : chosen) {
      Objects.checkIndex(index, size());
    }
    Dataset<T> whole = this;
    return new Dataset<>() {
      @Override
      public int size() {
        return chosen.length;
      }

      @Override
      public T get(int index) {
        return whole.get(chosen[index]);
      }
    };
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
