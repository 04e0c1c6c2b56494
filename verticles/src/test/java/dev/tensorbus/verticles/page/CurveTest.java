// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.verticles.page.Curve.Point;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Curves that become longer than they may be, and their rates.
class CurveTest {
  private static final int MOST = 8;
  private static final int ADDED = 1_000;

  @Test
  void aFullCurveMergesNeighboursAndKeepsTheWholeRun() {
    Curve curve = new Curve();
    for (int step = 1; step <= ADDED; step++) {
      curve.add(new Point(10L * step, step, step), MOST);
    }
    List<Point> points = curve.points();
    assertThat(points).hasSizeBetween(MOST / 2, MOST);
    assertThat(points.getLast().step()).isEqualTo(ADDED);
    assertThat(points.getFirst().value()).isCloseTo(points.getFirst().step() / 2.0, within(1.0));
    assertThat(points).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
  }

  @Test
  void aShortCurveKeepsEachPoint() {
    Curve curve = new Curve();
    for (int step = 1; step <= MOST; step++) {
      curve.add(new Point(step, step, 0.5 * step), MOST);
    }
    assertThat(curve.points().stream().map(Point::value))
        .containsExactly(0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0);
  }

  @Test
  void aValueThatIsNotFiniteIsNullInItsLine() {
    JsonObject line = Curves.line("trainer1", "loss", new Point(0, 3, Double.NaN));
    assertThat(line.encode())
        .isEqualTo(
            "{\"loss\":null,\"time\":\"1970-01-01T00:00:00Z\",\"step\":3,\"worker\":\"trainer1\"}");
  }

  @Test
  void allCurvesTogetherAreBounded() {
    Curves curves = new Curves();
    for (int n = 0; n < 200_000; n++) {
      curves.add("trainer" + n % 128, "loss", new Point(n, n, n));
    }
    assertThat(curves.lines()).hasSizeBetween(8_192, 65_536);
  }

  @Test
  void aRateIsAveragedOverTenSecondsAndStartsAgainWithItsWorker() {
    Rate rate = new Rate();
    long second = 1_000_000_000;
    assertThat(rate.add(0, 0)).isZero();
    assertThat(rate.add(second, 100)).isEqualTo(100);
    for (int n = 2; n <= 11; n++) {
      rate.add(n * second, 100);
    }
    assertThat(rate.add(12 * second, 100)).isZero();
    assertThat(rate.add(13 * second, 0)).isZero();
    assertThat(rate.add(14 * second, 50)).isEqualTo(50);
  }
}
