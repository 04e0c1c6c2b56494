// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResizeTest {
  private static Tensor row(float... pixels) {
    return Tensor.of(pixels).reshape(1, 1, pixels.length);
  }

  @Test
  void enlargingIsBilinear() {
    assertThat(Resize.to(1, 4).apply(row(1, 2)).values()).containsExactly(1, 1.25f, 1.75f, 2);
  }

  /// Two pixels for four: the weights 3/7, 3/7 and 1/7 of a triangle as wide as four of them.
  @Test
  void reducingSkipsNoPixel() {
    assertThat(Resize.to(1, 2).apply(row(1, 2, 3, 4)).values())
        .containsExactly(new float[] {12 / 7f, 23 / 7f}, within(1e-6f));
    assertThat(Resize.to(1, 1).apply(row(0, 0, 0, 0, 9, 0)).item()).isGreaterThan(0);
  }

  @Test
  void bothAxesAreResizedAndChannelsStayApart() {
    Tensor image = Tensor.of(1, 3, 5, 7, 0, 0, 0, 0).reshape(2, 2, 2);
    Tensor resized = Resize.to(1, 1).apply(image);
    assertThat(resized.shape()).isEqualTo(Shape.of(2, 1, 1));
    assertThat(resized.values()).containsExactly(4, 0);
    assertThat(Resize.to(3, 1).apply(image).values())
        .containsExactly(new float[] {2, 4, 6, 0, 0, 0}, within(1e-6f));
  }

  @Test
  void theShorterSideIsGivenAndTheLongerOneStaysInProportion() {
    assertThat(Resize.shortSide(4).apply(Tensor.zeros(3, 10, 25)).shape())
        .isEqualTo(Shape.of(3, 4, 10));
    assertThat(Resize.shortSide(7).apply(Tensor.zeros(1, 5, 3)).shape())
        .isEqualTo(Shape.of(1, 11, 7));
    Tensor image = Tensor.zeros(1, 8, 9);
    assertThat(Resize.shortSide(8).apply(image)).isSameAs(image);
  }

  @Test
  void anImageOfOneColourKeepsItAtAnySize() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      Tensor image = Tensor.ones(2, random.nextInt(1, 40), random.nextInt(1, 40)).scale(0.7f);
      Tensor resized = Resize.to(random.nextInt(1, 40), random.nextInt(1, 40)).apply(image);
      for (float pixel : resized.values()) {
        assertThat(pixel).as("seed %d, round %d", seed, round).isEqualTo(0.7f, within(1e-5f));
      }
    }
  }

  @Test
  void refusesSizesThatAreNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resize.to(0, 3))
        .withMessage("resize: 0x3 pixels; expected at least 1x1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resize.shortSide(-1))
        .withMessage("resize: -1x-1 pixels; expected at least 1x1");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> Resize.to(2, 2).apply(Tensor.of(1, 2)))
        .withMessage("resize: [2] is not an image; expected [channels, height, width]");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> Resize.to(2, 2).apply(Tensor.zeros(3, 0, 2)))
        .withMessage("resize: [3, 0, 2] is not an image; expected [channels, height, width]");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> Resize.shortSide(100_000).apply(Tensor.zeros(3, 2, 2)))
        .withMessage("shape: [3, 100000, 100000] has more than 2^31 - 1 elements");
  }
}
