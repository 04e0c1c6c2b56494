// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.nn.dropout.AlphaDropout;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.dropout.Dropout1d;
import dev.tensorbus.nn.dropout.Dropout3d;
import dev.tensorbus.nn.dropout.FeatureAlphaDropout;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// A random choice cannot be compared with torch's; these tests state facts that hold for any.
final class DropoutsTest {
  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void dropout1dAnd3dLeaveOutWholeChannels() {
    assertWholeChannels(new Dropout1d(0.5f, random)::forward, Tensor.ones(8, 8, 3), 3);
    assertWholeChannels(new Dropout3d(0.5f, random)::forward, Tensor.ones(8, 8, 2, 1, 2), 4);
  }

  private void assertWholeChannels(UnaryOperator<Tensor> forward, Tensor ones, int size) {
    float[] values = forward.apply(ones).values();
    int left = 0;
    for (int channel = 0; channel < values.length; channel += size) {
      float first = values[channel];
      assertThat(first).as("-Dseed=" + seed).isIn(0f, 2f);
      assertThat(Arrays.copyOfRange(values, channel, channel + size)).containsOnly(first);
      left += first == 0 ? 1 : 0;
    }
    assertThat(left).as("-Dseed=" + seed).isBetween(16, 48);
  }

  @Test
  void aSeedRepeatsWhatAModelDrops() {
    var net = new Sequential(new Dropout(0.5f, random), new Dropout(0.5f, random));
    Tensor x = Tensor.ones(8, 8);
    net.manualSeed(seed);
    List<Tensor> first = List.of(net.forward(x), net.forward(x));
    assertThat(first.get(0).values()).isNotEqualTo(first.get(1).values());
    net.manualSeed(seed);
    assertThat(net.forward(x).values()).isEqualTo(first.get(0).values());
    assertThat(net.forward(x).values()).isEqualTo(first.get(1).values());
    net.manualSeed(seed + 1);
    assertThat(net.forward(x).values()).isNotEqualTo(first.get(0).values());
  }

  @Test
  void aProbabilityOfZeroLeavesTheInputAndTheGeneratorAsTheyAre() {
    Tensor x = Tensor.randn(random, 2, 3, 4, 5);
    SplittableRandom used = new SplittableRandom(seed);
    assertThat(x.dropout(0, used)).isSameAs(x);
    assertThat(x.dropout2d(0, used)).isSameAs(x);
    assertThat(Dropouts.alphaDropout(x, 0, used)).isSameAs(x);
    assertThat(used.nextLong()).isEqualTo(new SplittableRandom(seed).nextLong());
  }

  @Test
  void alphaDropoutKeepsMeanAndVariance() {
    Tensor x = Tensor.randn(random, 100_000);
    Tensor y = new AlphaDropout(0.3f, random).forward(x);
    assertThat(y.mean().item()).as("-Dseed=" + seed).isCloseTo(0, within(0.02f));
    assertThat(y.sub(y.mean()).pow(2).mean().item()).isCloseTo(1, within(0.03f));
    float[] sorted = y.values().clone();
    Arrays.sort(sorted);
    int left = 0; // what is left out has one value, which hardly anything else has
    for (int i = 1; i < sorted.length; i++) {
      left += sorted[i] == sorted[i - 1] ? 1 : 0;
    }
    assertThat(left).as("-Dseed=" + seed).isBetween(29_000, 31_000);
  }

  /// The constants of Klambauer et al. for p = 0.5: a = 0.8864, and -1.5585 + 0.7792 for what is
  /// left out; torch gives the same.
  @Test
  void alphaDropoutScalesAndShiftsAsTorchDoes() {
    float[] values = Dropouts.alphaDropout(Tensor.ones(64), 0.5f, random).values();
    for (float value : values) {
      assertThat(Math.abs(value - 1.6655989f) < 1e-5 || Math.abs(value + 0.7791939f) < 1e-5)
          .as("%s, -Dseed=%d", value, seed)
          .isTrue();
    }
  }

  @Test
  void featureAlphaDropoutChoosesForWholeChannels() {
    float[] values = new FeatureAlphaDropout(0.5f, random).forward(Tensor.ones(16, 4, 3)).values();
    for (int channel = 0; channel < values.length; channel += 3) {
      assertThat(Arrays.copyOfRange(values, channel, channel + 3)).containsOnly(values[channel]);
    }
    Set<Float> different = new HashSet<>();
    for (float value : values) {
      different.add(value);
    }
    assertThat(different).as("-Dseed=" + seed).hasSize(2);
  }

  @Test
  void gradientsPassWhereValuesPassed() {
    GradientCheck check = new GradientCheck(random);
    check.check(
        x -> Dropouts.alphaDropout(x, 0.5f, new SplittableRandom(1)), Tensor.randn(random, 5, 3));
    check.check(
        x -> Dropouts.featureAlphaDropout(x, 0.5f, new SplittableRandom(1)),
        Tensor.randn(random, 5, 3, 2));
    check.check(
        x -> Dropouts.dropout1d(x, 0.5f, new SplittableRandom(1)), Tensor.randn(random, 5, 3, 2));
  }

  @Test
  void inEvaluationNothingChanges() {
    Tensor x = Tensor.randn(random, 2, 3, 4);
    AlphaDropout alpha = new AlphaDropout(0.5f, random);
    alpha.eval();
    assertThat(alpha.forward(x)).isSameAs(x);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Tensor flat = Tensor.ones(2, 3);
    assertThatThrownBy(() -> Dropouts.dropout1d(flat, 0.5f, random))
        .hasMessage("dropout1d: [2, 3] has 2 axes, not 3");
    assertThatThrownBy(() -> Dropouts.dropout3d(flat, 0.5f, random))
        .hasMessage("dropout3d: [2, 3] has 2 axes, not 5");
    assertThatThrownBy(() -> Dropouts.featureAlphaDropout(Tensor.ones(3), 0.5f, random))
        .hasMessage("featureAlphaDropout: [3] is not [n, c, …]");
    assertThatThrownBy(() -> Dropouts.alphaDropout(flat, 1f, random))
        .hasMessage("alphaDropout: probability 1.0 is not in [0, 1)");
  }
}
