// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.DataLoader.Position;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AugmentedTest {
  private static final int SIZE = 40;

  /// Adds a random number, so that one can see which.
  private static final Transform NOISE =
      (image, random) -> image.add(Tensor.scalar(random.nextFloat()));

  private final Dataset<Example> examples =
      Dataset.of(SIZE, index -> new Example(Tensor.zeros(1, 1, 1), index));

  private Augmented augmented(long seed) {
    return NOISE.over(examples, seed);
  }

  private static DataLoader<Example, List<Float>> loader(Dataset<Example> examples) {
    return DataLoader.of(
            examples, 7, batch -> batch.stream().map(e -> e.label() + e.input().item()).toList())
        .shuffled(1);
  }

  private static List<Float> epoch(
      Augmented augmented, DataLoader<Example, List<Float>> loader, long epoch) {
    augmented.setEpoch(epoch);
    List<Float> all = new ArrayList<>();
    loader.forEach(all::addAll);
    return all;
  }

  @Test
  void labelsStayAndInputsChange() {
    Example example = augmented(1).get(3);
    assertThat(example.label()).isEqualTo(3);
    assertThat(example.input().item()).isBetween(0f, 1f);
    assertThat(augmented(1).size()).isEqualTo(SIZE);
  }

  @Test
  void equalSeedsGiveEqualImagesAlsoWhereThreadsFetchAhead() {
    Augmented one = augmented(1);
    Augmented other = augmented(1);
    var alone = loader(one);
    var ahead = loader(other).prefetch(4);
    for (long epoch = 0; epoch < 3; epoch++) {
      assertThat(epoch(other, ahead, epoch)).isEqualTo(epoch(one, alone, epoch));
    }
  }

  @Test
  void eachSeedEpochAndExampleHasRandomNumbersOfItsOwn() {
    Set<Float> drawn = new HashSet<>();
    int count = 0;
    for (long seed = -2; seed < 3; seed++) {
      Augmented augmented = augmented(seed);
      for (long epoch = 0; epoch < 5; epoch++) {
        augmented.setEpoch(epoch);
        for (int index = 0; index < SIZE; index++) {
          drawn.add(augmented.get(index).input().item());
          count++;
        }
      }
    }
    assertThat(drawn).as("of 1000 draws from 2^24 numbers").hasSizeGreaterThan(count - 3);
  }

  @Test
  void neighboursDoNotShareAShiftedStream() {
    Transform second =
        (image, random) -> {
          random.nextFloat();
          return image.add(Tensor.scalar(random.nextFloat()));
        };
    Augmented firsts = augmented(1);
    Augmented seconds = second.over(examples, 1);
    Set<Float> drawn = new HashSet<>();
    for (int index = 0; index < SIZE; index++) {
      drawn.add(firsts.get(index).input().item());
      drawn.add(seconds.get(index).input().item());
    }
    assertThat(drawn).hasSize(2 * SIZE);
  }

  @Test
  void aResumedRunSeesTheSameImages() {
    Augmented whole = augmented(1);
    var loader = loader(whole);
    epoch(whole, loader, 0);
    whole.setEpoch(1);
    Iterator<List<Float>> second = loader.iterator();
    second.next();
    Position position = loader.position();

    Augmented again = augmented(1);
    var resumed = loader(again).prefetch(2);
    resumed.resume(position);
    List<Float> rest = new ArrayList<>();
    second.forEachRemaining(rest::addAll);
    assertThat(epoch(again, resumed, position.epoch())).isEqualTo(rest);
  }

  @Test
  void aFixedTransformNeedsNoSeed() {
    FixedTransform twice = image -> image.add(Tensor.scalar(2));
    Example example = twice.over(examples).get(5);
    assertThat(example.label()).isEqualTo(5);
    assertThat(example.input().item()).isEqualTo(2);
  }
}
