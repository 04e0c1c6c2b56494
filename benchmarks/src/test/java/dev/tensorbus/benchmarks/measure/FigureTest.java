// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FigureTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.00012345, 46.19, 68_000, 1e12})
  void aFigureReadsAsOne(double value) {
    String line = new Figure("rpc.noop.p50", value, "us").toString();
    assertThat(Figure.isFigure(line)).as(line).isTrue();
    assertThat(Figure.parse(line)).hasToString(line);
  }

  @Test
  void otherLinesDoNot() {
    assertThat(Figure.isFigure("warning: lost trainer1")).isFalse();
    assertThat(Figure.isFigure("step 46.19 ms later")).isFalse();
  }
}
