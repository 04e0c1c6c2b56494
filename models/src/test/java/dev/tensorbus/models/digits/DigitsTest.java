// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.data.Batch;
import org.junit.jupiter.api.Test;

class DigitsTest {
  private final byte[] pixels = new byte[3 * 784];
  private final Digits digits = new Digits(pixels, new byte[] {7, 8, 9});

  @Test
  void aBatchHoldsTheChosenPicturesNormalised() {
    pixels[2 * 784 + 29] = (byte) 255;
    Batch batch = Batch.of(digits.subset(2, 0));
    assertThat(batch.inputs().shape()).isEqualTo(Shape.of(2, 1, 28, 28));
    assertThat(batch.targets().longs()).containsExactly(9, 7);
    assertThat(batch.size()).isEqualTo(2);
    float ink = batch.inputs().values()[29];
    assertThat(ink).isEqualTo((1 - 0.1307f) / 0.3081f);
    assertThat(batch.inputs().values()).containsOnly(-0.1307f / 0.3081f, ink);
  }

  @Test
  void allPicturesMakeABatchInTheirOrder() {
    assertThat(Batch.of(digits).targets().longs()).containsExactly(7, 8, 9);
  }

  @Test
  void pixelsAreGreyValuesByRowAndColumn() {
    pixels[784 + 29] = (byte) 200;
    assertThat(digits.pixel(1, 1, 1)).isEqualTo(200);
    assertThat(digits.pixel(1, 1, 2)).isZero();
  }

  @Test
  void picturesThatAreNotThereAreRefused() {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> digits.get(3))
        .withMessageContaining("3");
  }
}
