// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private final Digits digits = numbered(100);

  @Test
  void aPassHoldsEachPictureOnceAndKeepsTheRest() {
    Batches batches = Batches.shuffled(digits, 32, new SplittableRandom(1));
    assertThat(batches.count()).isEqualTo(4);
    assertThat(sizes(batches)).containsExactly(32, 32, 32, 4);
    assertThat(labels(batches))
        .containsExactlyInAnyOrderElementsOf(labels(Batches.inOrder(digits, 100)))
        .isNotEqualTo(labels(Batches.inOrder(digits, 100)));
  }

  @Test
  void equalSeedsGiveEqualPassesAndEachPassItsOwnOrder() {
    Batches one = Batches.shuffled(digits, 32, new SplittableRandom(1));
    Batches other = Batches.shuffled(digits, 32, new SplittableRandom(1));
    List<Integer> first = labels(one);
    assertThat(labels(other)).isEqualTo(first);
    assertThat(labels(one)).isNotEqualTo(first).isEqualTo(labels(other));
  }

  @Test
  void picturesKeepTheirLabels() {
    for (Batch batch : Batches.shuffled(digits, 7, new SplittableRandom(1))) {
      for (int i = 0; i < batch.size(); i++) {
        float marked = digits.batch(batch.labels()[i]).inputs().values()[0];
        assertThat(batch.inputs().values()[i * 784]).isEqualTo(marked);
      }
    }
  }

  @Test
  void inOrderLeavesThePicturesAsTheyStand() {
    assertThat(labels(Batches.inOrder(digits, 33))).isSorted().hasSize(100);
  }

  @Test
  void aPassEnds() {
    Iterator<Batch> pass = Batches.inOrder(digits, 100).iterator();
    pass.next();
    assertThat(pass.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(pass::next);
  }

  @Test
  void refusesEmptyBatches() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Batches.inOrder(digits, 0))
        .withMessage("batches: size 0 must be 1 or more");
  }

  /// Pictures whose label is their place, which is also their first pixel.
  private static Digits numbered(int count) {
    byte[] pixels = new byte[count * 784];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) i;
      pixels[i * 784] = (byte) i;
    }
    return new Digits(pixels, labels);
  }

  private static List<Integer> sizes(Batches batches) {
    List<Integer> sizes = new ArrayList<>();
    batches.forEach(batch -> sizes.add(batch.size()));
    return sizes;
  }

  private static List<Integer> labels(Batches batches) {
    List<Integer> labels = new ArrayList<>();
    for (Batch batch : batches) {
      for (int label : batch.labels()) {
        labels.add(label);
      }
    }
    return labels;
  }
}
