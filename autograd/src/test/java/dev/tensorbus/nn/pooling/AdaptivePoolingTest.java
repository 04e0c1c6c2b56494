// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import org.junit.jupiter.api.Test;

class AdaptivePoolingTest {
  @Test
  void oneNumberIsTheNumberOfRowsAndOfColumns() {
    Tensor images = Tensor.of(Shape.of(1, 1, 2, 4), new float[] {1, 2, 3, 4, 5, 6, 7, 8});
    Tensor means = new AdaptiveAvgPool2d(2).forward(images);
    assertThat(means.shape()).isEqualTo(Shape.of(1, 1, 2, 2));
    assertThat(means.values()).containsExactly(1.5f, 3.5f, 5.5f, 7.5f);
    assertThat(new AdaptiveMaxPool2d(2).forward(images).values())
        .isEqualTo(new AdaptiveMaxPool2d(Pair.of(2)).forward(images).values())
        .containsExactly(2, 4, 6, 8);
  }
}
