// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PredictionsTest {
  private final Linear model = new Linear(3, 2, new SplittableRandom(1));
  private final List<Integer> batches = new CopyOnWriteArrayList<>();

  private Predictions predictions(Batching batching) {
    UnaryOperator<Tensor> forward =
        examples -> {
          batches.add(examples.shape().size(0));
          return model.forward(examples);
        };
    return new Predictions(
        new Predictor(model, forward, Shape.of(3)), new Versions(model)::now, batching);
  }

  @Test
  void rowsOfManyCallersAreOneBatchThatGoesAsSoonAsItIsFull() throws Exception {
    try (Predictions predictions = predictions(new Batching(8, Duration.ofHours(1)))) {
      List<CompletableFuture<Predictions.Prediction>> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(predictions.predict(Tensor.of(Shape.of(1, 3), new float[] {i, -i, 1})));
      }
      for (int i = 0; i < 8; i++) {
        Tensor own = answers.get(i).get().rows();
        Tensor expected = model.forward(Tensor.of(Shape.of(1, 3), new float[] {i, -i, 1}));
        assertThat(own.values()).isEqualTo(expected.values());
      }
      assertThat(batches).containsExactly(8);
    }
  }

  @Test
  void examplesThatTheModelRefusesFailTheirOwnCallOnly() throws Exception {
    UnaryOperator<Tensor> forward =
        examples -> {
          if (examples.sum().item() == 0) {
            throw new IllegalArgumentException("no zeros");
          }
          return model.forward(examples);
        };
    try (Predictions predictions =
        new Predictions(
            new Predictor(model, examples -> refusing(examples, forward), Shape.of(3)),
            new Versions(model)::now,
            new Batching(2, Duration.ofHours(1)))) {
      var bad = predictions.predict(Tensor.zeros(1, 3));
      var good = predictions.predict(Tensor.ones(1, 3));
      assertThat(good.get().rows().shape()).isEqualTo(Shape.of(1, 2));
      assertThatThrownBy(() -> bad.get()).hasMessageContaining("no zeros");
    }
  }

  @Test
  void theModelIsNotComputedOnAThreadThatRunsOtherVirtualThreads() throws Exception {
    List<Boolean> virtual = new CopyOnWriteArrayList<>();
    UnaryOperator<Tensor> forward =
        examples -> {
          virtual.add(Thread.currentThread().isVirtual());
          return model.forward(examples);
        };
    try (Predictions predictions =
        new Predictions(
            new Predictor(model, forward, Shape.of(3)),
            new Versions(model)::now,
            new Batching(1, Duration.ZERO))) {
      predictions.predict(Tensor.ones(1, 3)).get();
      assertThat(virtual).containsExactly(false);
    }
  }

  /// Applies a forward pass to each example, as a lookup of indices does.
  private static Tensor refusing(Tensor examples, UnaryOperator<Tensor> forward) {
    List<Tensor> rows = new ArrayList<>();
    for (int i = 0; i < examples.shape().size(0); i++) {
      rows.add(forward.apply(examples.slice(0, i, i + 1)));
    }
    return Tensor.concatenate(rows, 0);
  }

  @Test
  void aBatchThatIsNotFullGoesAfterTheDelayAndOneThatIsTooLargeByItself() throws Exception {
    try (Predictions predictions = predictions(new Batching(8, Duration.ofMillis(1)))) {
      predictions.predict(Tensor.ones(3, 3)).get();
      predictions.predict(Tensor.ones(20, 3)).get();
      assertThat(batches).containsExactly(3, 20);
    }
  }

  /// Whether it is in the queue still or in a batch that waits for more.
  @RepeatedTest(20)
  void whoWaitsWhenTheWorkerEndsIsRefused() {
    Predictions predictions = predictions(new Batching(8, Duration.ofHours(1)));
    CompletableFuture<?> first = predictions.predict(Tensor.zeros(1, 3));
    CompletableFuture<?> second = predictions.predict(Tensor.zeros(1, 3));
    predictions.close();
    assertThatThrownBy(() -> first.get(1, TimeUnit.MINUTES))
        .hasMessageContaining("is shutting down");
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES))
        .hasMessageContaining("is shutting down");
  }
}
