// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReturnsTest {
  @Test
  void laterRewardsCountLess() {
    assertThat(Returns.discounted(List.of(1f, 1f, 4f), 0.5)).containsExactly(2.5f, 3, 4);
  }

  @Test
  void everyEpisodeIsDiscountedByItself() {
    List<List<Float>> episodes = List.of(List.of(1f, 1f, 4f), List.of(), List.of(2f));
    assertThat(Returns.discountedAll(episodes, 0.5)).containsExactly(2.5f, 3, 4, 2);
  }

  @Test
  void theLowestTotalIsThatOfTheWorstEpisode() {
    assertThat(Returns.lowestTotal(List.of(List.of(3f), List.of(1f, 1f)))).isEqualTo(2);
  }

  /// torch: `(x - x.mean()) / (x.std() + eps)`.
  @Test
  void normalisedValuesHaveNoMeanAndUnitDeviation() {
    assertThat(Returns.normalised(1, 2, 3)).containsExactly(new float[] {-1, 0, 1}, within(1e-6f));
    assertThat(Returns.normalised(5, 5)).containsExactly(0, 0);
  }
}
