// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SparklineTest {
  private static final String SIGNS = "01234567";

  @Test
  void eachValueIsASignOfItsHeight() {
    assertThat(Sparkline.of(new double[] {0, 10, 50, 99, 100, 200}, 100, 10, SIGNS))
        .isEqualTo("004777");
  }

  @Test
  void neighboursShareASignWhereThereAreManyAndNoneIsLost() {
    assertThat(Sparkline.of(new double[] {0, 0, 100, 100, 0, 100, 50}, 100, 3, SIGNS))
        .isEqualTo("074");
  }

  @Test
  void noValuesAreNoSigns() {
    assertThat(Sparkline.of(new double[0], 100, 3, SIGNS)).isEmpty();
  }
}
