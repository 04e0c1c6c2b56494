// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Packing, with the values that torch 1.13.1 gives; `LayersTest` has networks that read packed
/// sequences.
final class PackedSequenceTest {
  private final List<Tensor> words =
      List.of(Tensor.ofLongs(1, 2), Tensor.ofLongs(3, 4, 5), Tensor.ofLongs(6));

  @Test
  void stepsFollowOneAnotherTheLongestSequenceFirst() {
    Tensor x = Tensor.arange(24).reshape(4, 3, 2);
    PackedSequence packed = PackedSequence.packPaddedSequence(x, 2, 4, 3);
    assertThat(packed.data().shape()).isEqualTo(Shape.of(9, 2));
    assertThat(packed.data().longs())
        .containsExactly(2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 6, 7, 14, 15, 16, 17, 20, 21);
    assertThat(packed.batchSizes()).containsExactly(3, 3, 2, 1);
    assertThat(packed.sortedIndices()).containsExactly(1, 2, 0);
    assertThat(packed.lengths()).containsExactly(2, 4, 3);
    assertThat(packed.padPackedSequence(-1).longs())
        .containsExactly(
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1, 14, 15, 16, 17, -1, -1, 20, 21, -1, -1);
  }

  @Test
  void sequencesOfAnyTypeArePackedAndPadded() {
    assertThat(PackedSequence.packSequence(words).data().longs()).containsExactly(3, 1, 6, 4, 2, 5);
    Tensor padded = PackedSequence.padSequence(words, 9);
    assertThat(padded.shape()).isEqualTo(Shape.of(3, 3));
    assertThat(padded.longs()).containsExactly(1, 3, 6, 2, 4, 9, 9, 5, 9);
  }

  @Test
  void stepsThatNoSequenceHasAreLeftOut() {
    PackedSequence packed = PackedSequence.packPaddedSequence(Tensor.ones(7, 2, 3), 2, 1);
    assertThat(packed.padPackedSequence(0).shape()).isEqualTo(Shape.of(2, 2, 3));
  }

  @Test
  void equalLengthsAreAWholeBatch() {
    Lstm lstm = new Lstm(RecurrentOptions.of(3, 4).withBothDirections(), new SplittableRandom(1));
    Tensor x = Tensor.randn(new SplittableRandom(2), 5, 2, 3);
    Lstm.Output whole = lstm.forward(x);
    PackedOutput<Lstm.State> packed = lstm.forward(PackedSequence.packPaddedSequence(x, 5, 5));
    assertThat(packed.sequence().padPackedSequence(0).values())
        .containsExactly(whole.sequence().values());
    assertThat(packed.state().cell().values()).containsExactly(whole.state().cell().values());
  }

  @Test
  void paddingHasNoGradient() {
    Gru gru = new Gru(RecurrentOptions.of(2, 3), new SplittableRandom(1));
    Tensor x = Tensor.parameterOf(Tensor.randn(new SplittableRandom(2), 3, 2, 2));
    gru.forward(PackedSequence.packPaddedSequence(x, 1, 3)).state().sum().backward();
    Tensor gradient = Objects.requireNonNull(x.grad());
    assertThat(gradient.slice(0, 1, 3).select(1, 0).values()).containsOnly(0);
    assertThat(gradient.select(1, 1).values()).doesNotContain(0);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Tensor x = Tensor.zeros(4, 2, 3);
    assertThatThrownBy(() -> PackedSequence.packPaddedSequence(x, 5, 1))
        .isInstanceOf(ShapeException.class)
        .hasMessage(
            "packPaddedSequence: [4, 2, 3] does not fit the lengths [5, 1]; expected [steps, batch,"
                + " …], one length per sequence, and none above steps");
    assertThatThrownBy(() -> PackedSequence.packPaddedSequence(x, 4, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "packSequence: lengths [4, 0]; expected at least one sequence, each with at least one"
                + " value");
    assertThatThrownBy(() -> new PackedSequence(Tensor.zeros(2), List.of(2, 1), List.of(0, 1)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("packedSequence: data [2]; expected 3 rows, the sum of the batch sizes");
    assertThatThrownBy(() -> new PackedSequence(Tensor.zeros(3), List.of(1, 2), List.of(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "packedSequence: batch sizes [1, 2] and indices [0]; expected each index once, as many"
                + " indices as the first batch size, and positive batch sizes that do not"
                + " increase");
    Gru gru = new Gru(RecurrentOptions.of(2, 3), new SplittableRandom(1));
    assertThatThrownBy(() -> gru.forward(PackedSequence.packPaddedSequence(x, 4, 1)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("gru: packed [5, 3] is not [values, 2]");
  }
}
