// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.EmbeddingBag;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps by gradients that have some rows of a table only.
class SparseGradientTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final RandomGenerator random = new SplittableRandom(SEED);

  @Test
  void aStepByTheMeanTakesSparseGradientsAndOthers() {
    Tensor table = Tensor.parameterOf(Tensor.ones(3, 2));
    Tensor one = rows(table.shape(), Tensor.ones(1, 2), 0);
    Tensor two = rows(table.shape(), Tensor.ones(2, 2), 0, 2);
    Optimizer optimizer = new Sgd(1).over(List.of(table));
    optimizer.stepByMean(List.of(List.of(one), List.of(two)));
    assertThat(table.values()).containsExactly(0, 0, 1, 1, 0.5f, 0.5f);
    optimizer.stepByMean(List.of(List.of(Tensor.ones(3, 2)), List.of(two)));
    assertThat(table.values()).containsExactly(-1, -1, 0.5f, 0.5f, -0.5f, -0.5f);
  }

  @Test
  void aSparseGradientChangesOnlyItsRowsAndEachOnce() {
    Tensor table = Tensor.parameterOf(Tensor.randn(random, 4, 1500));
    Tensor before = table.detach();
    Tensor gradient = Tensor.randn(random, 3, 1500);
    new Adagrad(1).over(List.of(table)).step(_ -> rows(table.shape(), gradient, 2, 0, 2));
    for (int row : new int[] {1, 3}) {
      assertThat(table.select(0, row).values()).isEqualTo(before.select(0, row).values());
    }
    assertThat(table.select(0, 0).values())
        .isEqualTo(before.select(0, 0).sub(sign(gradient.select(0, 1))).values());
    Tensor sum = gradient.select(0, 0).add(gradient.select(0, 2));
    assertThat(table.select(0, 2).values()).isEqualTo(before.select(0, 2).sub(sign(sum)).values());
  }

  @Test
  void stepsOverRowsMakeVersionsThatShareTheRest() {
    Tensor table = Tensor.parameterOf(Tensor.randn(random, 1000, 3));
    Tensor dense = Tensor.parameterOf(table);
    Optimizer rowwise = new Sgd(0.1).over(List.of(table));
    Optimizer whole = new Sgd(0.1).over(List.of(dense));
    List<Tensor> versions = new ArrayList<>();
    List<float[]> expected = new ArrayList<>();
    for (int step = 0; step < 20; step++) {
      boolean isDense = step % 5 == 4;
      int[] some = random.ints(7, 0, 1000).toArray();
      Tensor gradient = rows(table.shape(), Tensor.randn(random, 7, 3), some);
      Tensor laidOut = Tensor.of(table.shape(), gradient.values());
      rowwise.step(_ -> isDense ? laidOut : gradient);
      whole.step(_ -> laidOut);
      assertThat(table.layout() instanceof TableVersion).as("step %d", step).isEqualTo(!isDense);
      versions.add(table.detach());
      expected.add(dense.values());
    }
    for (int step = 0; step < 20; step++) {
      assertThat(versions.get(step).values())
          .as("version %d, -Dseed=%d", step, SEED)
          .containsExactly(expected.get(step), within(1e-6f));
    }
  }

  /// Adagrad's first step.
  private static Tensor sign(Tensor x) {
    return x.div(x.mul(x).sqrt().add(Tensor.scalar(1e-10f)));
  }

  @Test
  void refusesSparseGradientsWhereEveryRowWouldChange() {
    Tensor table = Tensor.parameterOf(Tensor.ones(2, 1));
    Tensor sparse = rows(table.shape(), Tensor.ones(1, 1), 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adam(1).over(List.of(table)).step(_ -> sparse))
        .withMessage(
            "adam: does not support sparse gradients; use SparseAdam, Adagrad or Sgd, or an"
                + " embedding without withSparse(true)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adagrad(1).withWeightDecay(1).over(List.of(table)).step(_ -> sparse))
        .withMessage(
            "adagrad: weight decay changes all rows and does not support sparse gradients; set it"
                + " to 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SparseAdam(1).over(List.of(table)).step(_ -> Tensor.ones(2, 1)))
        .withMessage(
            "sparseadam: supports only sparse gradients; use Adam, or an embedding with"
                + " withSparse(true)");
    assertThat(table.values()).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 128})
  void everyOptimizerTakesAnEmbeddingsGradientsHoweverManyTokensABatchHas(int tokens) {
    for (OptimizerSpec spec : List.of(new Adam(0.1), new AdamW(0.1), new Rmsprop(0.1))) {
      Embedding embedding = new Embedding(65, 4, random);
      long[] words = random.longs(tokens, 0, 65).toArray();
      embedding.forward(Tensor.ofLongs(words)).sum().backward();
      Tensor weight = embedding.parameters().getFirst();
      Tensor before = weight.detach();
      spec.over(embedding.parameters()).step();
      assertThat(weight.select(0, (int) words[0]).values())
          .as("-Dseed=%d", SEED)
          .isNotEqualTo(before.select(0, (int) words[0]).values());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 128})
  void aSparseEmbeddingLearnsAsADenseOneHoweverManyTokensABatchHas(int tokens) {
    Embedding dense = new Embedding(65, 4, random);
    Embedding sparse = new Embedding(65, 4, random).withSparse(true);
    sparse.load(dense.state());
    Tensor words = Tensor.ofLongs(random.longs(tokens, 0, 65).toArray());
    for (Embedding embedding : List.of(dense, sparse)) {
      embedding.forward(words).mul(embedding.forward(words)).sum().backward();
    }
    Tensor rows = Objects.requireNonNull(sparse.parameters().getFirst().grad());
    assertThat(rows.sparseRows()).isNotNull();
    assertThat(Objects.requireNonNull(dense.parameters().getFirst().grad()).sparseRows()).isNull();
    new Sgd(0.1).over(dense.parameters()).step();
    new Sgd(0.1).over(sparse.parameters()).step();
    assertThat(sparse.parameters().getFirst().values())
        .as("-Dseed=%d", SEED)
        .containsExactly(dense.parameters().getFirst().values(), within(1e-5f));
    new SparseAdam(0.1).over(sparse.parameters()).step();
  }

  @ParameterizedTest
  @EnumSource(Embeddings.BagMode.class)
  void aSparseBagOfRowsLearnsAsADenseOne(Embeddings.BagMode mode) {
    EmbeddingBag dense = new EmbeddingBag(65, 4, mode, random);
    EmbeddingBag sparse = new EmbeddingBag(65, 4, mode, random).withSparse(true);
    sparse.load(dense.state());
    Tensor words = Tensor.ofLongs(random.longs(12, 0, 65).toArray());
    for (EmbeddingBag bag : List.of(dense, sparse)) {
      bag.forward(words, 0, 3, 3, 10).sum().backward();
      new Sgd(0.1).over(bag.parameters()).step();
    }
    Tensor gradient = Objects.requireNonNull(sparse.parameters().getFirst().grad());
    assertThat(gradient.sparseRows()).isNotNull();
    assertThat(sparse.parameters().getFirst().values())
        .as("-Dseed=%d", SEED)
        .containsExactly(dense.parameters().getFirst().values(), within(1e-5f));
    new Adam(0.1).over(dense.parameters()).step();
    new SparseAdam(0.1).over(sparse.parameters()).step();
  }

  private static Tensor rows(Shape shape, Tensor values, int... rows) {
    return Tensor.ofRows(new SparseRows(shape, rows, values));
  }
}
