// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A table in shards is looked up as one table is.
class ShardedEmbeddingTest {
  private static final Tensor INDICES = Tensor.ofLongs(6, 0, 2, 3, 6, 5, 0, 1).reshape(2, 4);

  private final SplittableRandom random = new SplittableRandom(1);
  private final ShardedEmbedding sharded = new ShardedEmbedding(7, 3, 3, random);
  private final Embedding whole = new Embedding(7, 3, random);
  private final Tensor factors = Tensor.randn(random, 2, 4, 3);

  ShardedEmbeddingTest() {
    Tensor rows = Tensor.concatenate(sharded.parameters(), 0).detach();
    whole.parameters().getFirst().replace(_ -> rows);
  }

  @Test
  void theLastShardHasTheRest() {
    assertThat(sharded.parameters().stream().map(shard -> shard.shape().size(0)))
        .containsExactly(3, 3, 1);
    assertThat(sharded.state().tensors())
        .containsOnlyKeys("shards.0.weight", "shards.1.weight", "shards.2.weight");
  }

  @Test
  void rowsAndGradientsAreThoseOfOneTable() {
    for (boolean sparse : List.of(false, true)) {
      sharded.withSparse(sparse).zeroGrad();
      whole.zeroGrad();
      Tensor rows = sharded.forward(INDICES);
      Tensor expected = whole.forward(INDICES);
      assertThat(rows.shape()).isEqualTo(expected.shape());
      assertThat(rows.values()).isEqualTo(expected.values());
      rows.mul(factors).sum().backward();
      expected.mul(factors).sum().backward();
      List<Tensor> gradients =
          sharded.parameters().stream().map(p -> Objects.requireNonNull(p.grad())).toList();
      assertThat(gradients).allMatch(gradient -> (gradient.sparseRows() != null) == sparse);
      assertThat(Tensor.concatenate(gradients, 0).values())
          .isEqualTo(Objects.requireNonNull(whole.parameters().getFirst().grad()).values());
    }
  }

  @Test
  void aShardThatIsNotLookedUpGivesNothing() {
    assertThat(sharded.forward(Tensor.ofLongs(4)).values())
        .isEqualTo(whole.forward(Tensor.ofLongs(4)).values());
    assertThat(sharded.forward(Tensor.ofLongs()).shape().toArray()).containsExactly(0, 3);
  }

  @Test
  void anIndexOfNoRowIsRefused() {
    for (long index : new long[] {-1, 7, 1L << 40}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sharded.forward(Tensor.ofLongs(0, index)))
          .withMessage("embedding: index %d is not in [0, 7)", index);
    }
  }

  @Test
  void shardsThatAreEmptyOrTooLargeAreRefused() {
    for (int shards : new int[] {0, 5, 8}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ShardedEmbedding(7, 3, shards, random))
          .withMessage(
              "embedding: 7 rows cannot fill %d shards; expected at least one shard, and none"
                  + " empty",
              shards);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShardedEmbedding(100_000_000, 64, 2, random))
        .withMessage(
            "embedding: a shard of 50000000 x 64 values is too large; use at least 3 shards");
  }
}
