// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void aTableNamesLayersShapesAndNumbersOfValues() {
    Sequential net =
        new Sequential(
            new Linear(784, 64, random),
            new Relu(),
            new Sequential(Linear.withoutBias(64, 10, random)));
    net.parametersWhere(name -> name.startsWith("0.")).forEach(one -> one.requiresGrad(false));
    assertThat(Summary.of(net).toString().lines().map(String::stripTrailing))
        .containsExactly(
            "layer  type        shapes                       parameters",
            "       Sequential",
            "0      Linear      weight [64, 784], bias [64]      50,240",
            "1      Relu",
            "2      Sequential",
            "2.0    Linear      weight [10, 64]                     640",
            "50,880 parameters, 50,240 of them frozen, 203,520 bytes");
  }

  @Test
  void buffersCountAsMemoryOnly() {
    Summary summary = Summary.of(new BatchNorm(3));
    assertThat(summary.parameters()).isEqualTo(6);
    assertThat(summary.frozen()).isZero();
    assertThat(summary.bytes()).isEqualTo(4 * 3 * 4 + 8);
  }
}
