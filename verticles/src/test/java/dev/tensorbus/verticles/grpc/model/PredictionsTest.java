// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;

class PredictionsTest {
  /// Whether it is in the queue still or in a batch that waits for more.
  @RepeatedTest(20)
  void whoWaitsWhenTheWorkerEndsIsRefused() {
    Linear model = new Linear(3, 2, new SplittableRandom(1));
    Batching patient = new Batching(8, Duration.ofHours(1));
    Predictor predictor = new Predictor(model, model::forward, Shape.of(3));
    Predictions predictions = new Predictions(predictor, new Versions(model), patient);
    CompletableFuture<?> first = predictions.predict(Tensor.zeros(1, 3));
    CompletableFuture<?> second = predictions.predict(Tensor.zeros(1, 3));
    predictions.close();
    assertThatThrownBy(() -> first.get(1, TimeUnit.MINUTES)).hasMessageContaining("is ending");
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("is ending");
  }
}
