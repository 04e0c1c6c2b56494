// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PredictResponse;
import dev.tensorbus.verticles.grpc.model.Predictions;
import dev.tensorbus.verticles.grpc.model.Predictions.Prediction;
import dev.tensorbus.verticles.grpc.wire.NamedTensor;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import dev.tensorbus.verticles.grpc.wire.TensorReader;
import dev.tensorbus.verticles.grpc.wire.TensorWriter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// `Predict`: what the model says of examples.
///
/// @param exports has the model
/// @param maxTensorBytes of one prediction
record Predicting(Exports exports, long maxTensorBytes)
    implements Exchange.Method<PredictRequest, PredictResponse> {
  @Override
  public void serve(Exchange<PredictRequest, PredictResponse> exchange)
      throws InterruptedException {
    Predictions predictions = exports.requireModel().predictions();
    TensorReader reader = new TensorReader(maxTensorBytes);
    for (var next = exchange.receive(); next != null; next = exchange.receive()) {
      reader.add(next.getPartsList());
      if (next.getLast()) {
        answer(exchange, await(predictions, reader.tensors()));
        reader = new TensorReader(maxTensorBytes);
      }
    }
  }

  private static Prediction await(Predictions predictions, List<NamedTensor> tensors)
      throws InterruptedException {
    if (tensors.size() != 1) {
      throw new Refusal(
          Reason.BAD_EXAMPLES,
          "%d tensors came for a prediction; expected one".formatted(tensors.size()));
    }
    CompletableFuture<Prediction> answer = predictions.predict(tensors.getFirst().tensor());
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      answer.cancel(false); // where this thread was interrupted
    }
  }

  private static void answer(Exchange<?, PredictResponse> exchange, Prediction prediction)
      throws InterruptedException {
    TensorWriter.write(
        List.of(new NamedTensor("", prediction.rows())),
        (parts, isLast) ->
            exchange.send(
                PredictResponse.newBuilder()
                    .addAllParts(parts)
                    .setVersion(prediction.version())
                    .setLast(isLast)
                    .build()));
  }
}
