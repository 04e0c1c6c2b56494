// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;
import java.util.Objects;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class LoraTest {
  private static final Offset<Float> ROUNDING = Offset.offset(1e-5f);

  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Linear linear = new Linear(6, 4, random);
  private final Tensor x = Tensor.randn(random, 5, 6);
  private final Tensor wanted = Tensor.randn(random, 5, 4);
  private final float[] before = linear.forward(x).values();
  private final Lora lora = Lora.of(linear, 2, 4, random);

  @Test
  void theStartIsTheFrozenLayer() {
    assertThat(lora.forward(x).values()).isEqualTo(before);
    assertThat(lora.namedParameters().keySet())
        .containsExactly("lora_A", "lora_B", "base_layer.weight", "base_layer.bias");
  }

  @Test
  void onlyTheTwoMatricesLearn() {
    float first = loss();
    float[] frozen = linear.weight().values();
    learn();
    assertThat(loss()).as("-Dseed=" + seed).isLessThan(0.7f * first);
    assertThat(linear.weight().values()).isEqualTo(frozen);
    assertThat(lora.parametersWhere(name -> name.startsWith("base_layer")))
        .noneMatch(Tensor::requiresGrad)
        .allMatch(parameter -> parameter.grad() == null);
  }

  @Test
  void theMergedLayerComputesTheSame() {
    learn();
    float[] adapted = lora.forward(x).values();
    assertThat(adapted).isNotEqualTo(before);
    Linear merged = lora.merge();
    assertThat(merged).isSameAs(linear);
    assertThat(merged.forward(x).values()).as("-Dseed=" + seed).containsExactly(adapted, ROUNDING);
    assertThat(lora.forward(x).values()).isEqualTo(merged.forward(x).values());
  }

  @Test
  void aRankOfZeroIsRefused() {
    assertThatThrownBy(() -> Lora.of(linear, 0, 1, random))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Lora: rank 0; expected at least 1");
  }

  private float loss() {
    return Losses.mseLoss(lora.forward(x), wanted).item();
  }

  private void learn() {
    for (int step = 0; step < 50; step++) {
      lora.zeroGrad();
      Losses.mseLoss(lora.forward(x), wanted).backward();
      lora.parametersWhere(name -> name.startsWith("lora_")).forEach(LoraTest::step);
    }
  }

  private static void step(Tensor parameter) {
    Tensor gradient = Objects.requireNonNull(parameter.grad());
    parameter.replace(old -> old.sub(gradient.scale(0.1)));
  }
}
