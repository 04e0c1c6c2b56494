// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.rpc.RRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Trainers whose dense layers learn as one, while the embedding lives on a server; the first
/// worker only tells them what to do.
abstract class HybridContract extends AutogradContract {
  private static final List<String> TRAINERS = List.of("worker2", "worker3");

  private List<List<Tensor>> gradients(boolean reduces, double... signs) {
    RRef<Embedding> table = rpc.remote("worker1", Trainers::table);
    List<Future<List<Tensor>>> steps = new ArrayList<>();
    for (int i = 0; i < signs.length; i++) {
      steps.add(
          rpc.rpcAsync(TRAINERS.get(i), Trainers::gradients, table, TRAINERS, signs[i], reduces));
    }
    return steps.stream().map(step -> step.await()).toList();
  }

  /// The gradients of the mean loss of all trainers' examples, computed here.
  private static List<Tensor> local(double... signs) {
    Embedding table = Trainers.table();
    Linear dense = Trainers.dense(2);
    for (int i = 0; i < signs.length; i++) {
      Tensor embedded = table.forward(Tensor.ofLongs(1, 2, 2 + i));
      Trainers.loss(dense, embedded, signs[i] / signs.length).backward();
    }
    return dense.parameters().stream().map(Tensor::grad).toList();
  }

  private static void requireClose(List<Tensor> found, List<Tensor> expected) {
    for (int i = 0; i < expected.size(); i++) {
      float[] values = found.get(i).values();
      for (int j = 0; j < values.length; j++) {
        assertThat(values[j]).isCloseTo(expected.get(i).values()[j], Offset.offset(1e-5f));
      }
    }
  }

  @Test
  void averagedGradientsAreThoseOfAllExamplesAndEqualOnAllTrainers() {
    List<List<Tensor>> found = gradients(true, 1, 1);
    requireClose(found.get(0), local(1, 1));
    for (int i = 0; i < found.get(0).size(); i++) {
      assertThat(found.get(1).get(i).values()).isEqualTo(found.get(0).get(i).values());
    }
    awaitNothingHeld();
  }

  @Test
  void gradientsOfOppositeExamplesCancelOutOnlyWhereTheyAreAveraged() {
    for (List<Tensor> bias : gradients(true, 1, -1)) {
      assertThat(bias.getLast().values()).containsOnly(0);
    }
    for (List<Tensor> bias : gradients(false, 1, -1)) {
      assertThat(bias.getLast().values()).doesNotContain(0);
    }
    RRef<Embedding> table = rpc.remote("worker1", Trainers::table);
    List<Future<Double>> steps =
        TRAINERS.stream()
            .map(
                trainer ->
                    rpc.rpcAsync(
                        trainer,
                        Trainers::tableGradient,
                        table,
                        TRAINERS,
                        trainer.endsWith("2") ? 1.0 : -1.0))
            .toList();
    steps.forEach(step -> assertThat(step.await()).isPositive());
    awaitNothingHeld();
  }

  @Test
  void aTrainerWithoutExamplesTakesPart() {
    requireClose(gradients(true, 1, 0).get(1), local(1, 0));
  }

  @Test
  void sparseGradientsAreAveragedAsTheirRows() {
    Future<Tensor> second =
        rpc.rpcAsync("worker3", Trainers::sparseGradient, TRAINERS, Tensor.ofLongs(2, 3, 3));
    Tensor first = rpc.rpcSync("worker2", Trainers::sparseGradient, TRAINERS, Tensor.ofLongs(1, 2));
    float[] each = new float[Trainers.ROWS];
    each[1] = 0.5f;
    each[2] = 1;
    each[3] = 1;
    for (int row = 0; row < each.length; row++) {
      float[] expected = new float[Trainers.WIDTH];
      Arrays.fill(expected, each[row]);
      requireValues(first.select(0, row), expected);
      requireValues(second.await().select(0, row), expected);
    }
  }

  @Test
  void aPlainBackwardPassAveragesAndBuffersAreTheFirstTrainers() {
    List<Tensor> expected = Trainers.trainAll(List.of(2, 3), 3);
    List<Future<List<Tensor>>> trained =
        TRAINERS.stream()
            .map(trainer -> rpc.rpcAsync(trainer, Trainers::train, TRAINERS, 3, true))
            .toList();
    List<Tensor> first = trained.get(0).await();
    List<Tensor> second = trained.get(1).await();
    for (int i = 0; i < expected.size(); i++) {
      double[] values = first.get(i).to(DType.FLOAT64).doubles();
      assertThat(values)
          .containsExactly(expected.get(i).to(DType.FLOAT64).doubles(), Offset.offset(1e-5));
      assertThat(second.get(i).heap()).isEqualTo(first.get(i).heap());
    }
  }

  @Test
  void aTrainerWithoutExamplesAveragesToo() {
    Future<List<Tensor>> second = rpc.rpcAsync("worker3", Trainers::train, TRAINERS, 1, false);
    List<Tensor> first = rpc.rpcSync("worker2", Trainers::train, TRAINERS, 1, true);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.await().get(i).heap()).isEqualTo(first.get(i).heap());
    }
    assertThat(first.getFirst().values()).isNotEqualTo(new float[3 * Trainers.WIDTH]);
  }

  @Test
  void passesWithoutSyncAddUpUntilOneWithIt() {
    Future<List<Tensor>> other = rpc.rpcAsync("worker3", Trainers::accumulate, TRAINERS);
    List<Tensor> first = rpc.rpcSync("worker2", Trainers::accumulate, TRAINERS);
    List<Tensor> second = other.await();
    assertThat(second.get(0).values()).isNotEqualTo(first.get(0).values());
    assertThat(second.get(1).values()).isEqualTo(first.get(1).values());
  }

  @Test
  void whatDoesNotFitIsAnErrorOnAll() {
    List<String> all = List.of("worker1", "worker2");
    Future<Tensor> other = rpc.rpcAsync("worker2", Graphs::sumOf, all, Tensor.of(1, 2, 3));
    String message =
        "allReduce: the tensors of worker1, worker2 do not match: float32 [2] and float32 [3]";
    assertThatThrownBy(() -> rpc.rpcSync("worker1", Graphs::sumOf, all, Tensor.of(1, 2)))
        .hasMessageContaining(message);
    assertThatThrownBy(other::await).hasMessageContaining(message);
  }
}
