// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CartPoleTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final CartPole environment = new CartPole(new SplittableRandom(SEED));

  /// `environment/cartpole.py` has worked these out from the equations of motion. Each step
  /// begins where its last one ended: a pole that balances doubles a difference of rounding in
  /// few steps.
  @Test
  void movesAsTheEquationsSay() throws IOException {
    int steps = 0;
    for (String line : trajectories()) {
      String[] words = line.split(",", -1);
      if (words[0].equals("start")) {
        environment.reset();
      } else {
        CartPole.Step reached = environment.step(Integer.parseInt(words[0]));
        assertThat(reached.done()).as(line).isEqualTo(Boolean.parseBoolean(words[5]));
        requireClose(reached.state(), words, line);
        steps++;
      }
      environment.place(number(words, 1), number(words, 2), number(words, 3), number(words, 4));
    }
    assertThat(steps).isEqualTo(535);
  }

  private static void requireClose(float[] state, String[] words, String what) {
    for (int i = 0; i < CartPole.STATE_SIZE; i++) {
      double expected = number(words, i + 1);
      assertThat((double) state[i])
          .as("%d of %s", i, what)
          .isCloseTo(expected, within(1e-7 + 1e-6 * Math.abs(expected)));
    }
  }

  private static List<String> trajectories() throws IOException {
    try (InputStream csv = CartPoleTest.class.getResourceAsStream("/environment/cartpole.csv")) {
      return new String(Objects.requireNonNull(csv).readAllBytes(), UTF_8).lines().toList();
    }
  }

  private static double number(String[] words, int index) {
    return Double.parseDouble(words[index]);
  }

  @Test
  void everyStepIsRewardedWithOneTheLastToo() {
    environment.reset();
    CartPole.Step step = environment.step(1);
    while (!step.done()) {
      assertThat(step.reward()).isEqualTo(1);
      step = environment.step(1);
    }
    assertThat(step.reward()).isEqualTo(1);
  }

  @Test
  void episodesBeginNearTheMiddleAtRandomAndEqualSeedsAlike() {
    CartPole again = new CartPole(new SplittableRandom(SEED));
    for (int episode = 0; episode < 100; episode++) {
      float[] state = environment.reset();
      assertThat(state).hasSize(4).isEqualTo(again.reset());
      for (float value : state) {
        assertThat(value).as("seed %d", SEED).isBetween(-0.05f, 0.05f);
      }
      assertThat(state).isNotEqualTo(environment.reset());
      again.reset();
    }
  }

  @Test
  void anEpisodeThatIsOverDoesNotGoOn() {
    assertThatIllegalStateException()
        .isThrownBy(() -> environment.step(0))
        .withMessage("cart pole: no episode is running; call reset first");
  }

  @Test
  void refusesOtherActions() {
    environment.reset();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> environment.step(2))
        .withMessage("cart pole: action 2 must be 0 or 1");
  }
}
