// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.LanguageModel;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LanguageModelTest {
  private static final int TOKENS = 65;
  private static final int COLUMNS = 4;
  private static final long SEED = Long.getLong("seed", 3);

  /// Two batches of 128 words and one of 64.
  private final TokenBatches epoch =
      new TokenBatches(
          new SplittableRandom(SEED).ints(COLUMNS * 81, 0, TOKENS).toArray(), COLUMNS, 32);

  private static LanguageModel model() {
    return new LanguageModel(TOKENS, RecurrentOptions.of(6, 8), new SplittableRandom(SEED));
  }

  /// The sum of the losses of each of some epochs.
  private List<Float> learn(LanguageModel model, OptimizerSpec spec, int epochs) {
    Optimizer optimizer = spec.over(model.parameters());
    Tensor zeros = model.zeros(COLUMNS);
    List<Float> sums = new ArrayList<>();
    for (int i = 0; i < epochs; i++) {
      float sum = 0;
      for (TokenBatch batch : epoch) {
        optimizer.zeroGrad();
        Tensor loss = batch.loss(model.forward(batch.inputs(), zeros, zeros).getFirst());
        loss.backward();
        optimizer.step();
        sum += loss.item();
      }
      sums.add(sum);
    }
    return sums;
  }

  @Test
  void adamLearnsOverEpochsWhoseLastBatchIsShorter() {
    List<Integer> sizes = new ArrayList<>();
    epoch.forEach(batch -> sizes.add(batch.size()));
    assertThat(sizes).containsExactly(128, 128, 64);
    List<Float> sums = learn(model(), new Adam(0.01), 5);
    assertThat(sums.getLast()).as("-Dseed=%d", SEED).isLessThan(sums.getFirst());
  }

  @Test
  void sparseGradientsLearnTheSameIfAnOptimizerTakesThem() {
    List<Float> dense = learn(model(), new Sgd(0.5), 2);
    List<Float> sparse = learn(model().withSparse(true), new Sgd(0.5), 2);
    for (int i = 0; i < dense.size(); i++) {
      assertThat(sparse.get(i)).as("-Dseed=%d", SEED).isCloseTo(dense.get(i), within(1e-4f));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> learn(model().withSparse(true), new Adam(0.01), 1))
        .withMessageContaining("adam: does not support sparse gradients");
  }
}
