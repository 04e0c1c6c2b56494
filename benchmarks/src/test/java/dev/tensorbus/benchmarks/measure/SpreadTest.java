// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void theLongestTimeIsTheWorst() {
    assertThat(spread("us", 30, 10, 20)).containsExactly(10.0, 20.0, 30.0, 1.5);
  }

  @Test
  void theLowestRateIsTheWorst() {
    assertThat(spread("GFLOP/s", 30, 10, 20)).containsExactly(30.0, 20.0, 10.0, 2.0);
  }

  @Test
  void figuresSayWhatTheyAre() {
    assertThat(Spread.of(List.of(new Figure("gemm.64", 3, "us"))).figures())
        .extracting(Figure::name)
        .containsExactly("gemm.64.best", "gemm.64.median", "gemm.64.worst", "gemm.64.slowdown");
  }

  private static List<Double> spread(String unit, double... values) {
    List<Figure> starts =
        Arrays.stream(values).mapToObj(value -> new Figure("row", value, unit)).toList();
    return Spread.of(starts).figures().stream().map(Figure::value).toList();
  }
}
