// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.mnist.MnistTwins;
import dev.tensorbus.verticles.rnn.RnnTwins;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final Vertx vertx = Vertx.vertx();
  private final Rpc rpc = open(0);
  private final Rpc other = open(1);

  private Rpc open(int rank) {
    return Rpc.open(vertx, "worker" + rank, RpcOptions.worldSize(2).withRank(rank)).await();
  }

  @AfterEach
  void close() {
    Future.join(rpc.leave(), other.leave()).await();
    vertx.close().await();
  }

  @Test
  void mnistHasTheSameGradientsOverTwoWorkers() {
    requireEqual(MnistTwins::make);
  }

  @Test
  void theLanguageModelHasTheSameGradientsOverTwoWorkers() {
    requireEqual(RnnTwins::make);
  }

  private void requireEqual(Twins.Maker maker) {
    Comparison comparison = Comparison.of(rpc, maker.make(rpc, "worker1", SEED));
    assertThat(comparison.isEqual()).as("seed %s: %s", SEED, comparison).isTrue();
    assertThat(comparison.lossSpread()).isEqualTo(comparison.lossHere());
  }

  @Test
  void theLargestDifferenceIsNamed() {
    Tensor weight = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    Tensor otherWeight = Tensor.parameterOf(weight);
    Twins twins =
        new Twins(
            Map.of("weight", weight),
            List.of(rpc.rref(otherWeight)),
            () -> weight.mul(Tensor.of(1, 3)).sum(),
            () -> otherWeight.mul(Tensor.of(1, 3.5f)).sum());
    Comparison comparison = Comparison.of(rpc, twins);
    assertThat(comparison.isEqual()).isFalse();
    assertThat(comparison)
        .hasToString(
            "loss 7.0 locally, 8.0 over two workers; largest gradient difference 0.500, in weight"
                + " at index 1: 3.0 locally, 3.5 over two workers");
  }

  @Test
  void whatIsNotANumberIsADifference() {
    Tensor weight = Tensor.parameter(Shape.of(1), new float[] {1});
    Tensor otherWeight = Tensor.parameterOf(weight);
    Twins twins =
        new Twins(
            Map.of("weight", weight),
            List.of(rpc.rref(otherWeight)),
            () -> weight.sum(),
            () -> otherWeight.scale(Double.NaN).sum());
    assertThat(Comparison.of(rpc, twins).isEqual()).isFalse();
  }
}
