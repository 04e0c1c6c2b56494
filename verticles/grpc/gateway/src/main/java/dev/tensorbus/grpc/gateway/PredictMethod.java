// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.grpc.gateway.wire.TensorWriter;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PredictResponse;
import dev.tensorbus.optim.server.Predictions;
import dev.tensorbus.optim.server.Predictions.Prediction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// `Predict`: runs the model on examples.
///
/// @param exports provides the model
record PredictMethod(Exports exports)
    implements ServerCall.Method<PredictRequest, PredictResponse> {
  @Override
  public void serve(ServerCall<PredictRequest, PredictResponse> exchange)
      throws InterruptedException {
    Predictions predictions = exports.requireModel().predictions();
    TensorReader reader = exchange.tensors();
    for (var next = exchange.receive(); next != null; next = exchange.receive()) {
      reader.add(next.getPartsList());
      if (next.getLast()) {
        answer(exchange, await(predictions, reader.tensors()));
        reader.release();
        reader = exchange.tensors();
      }
    }
  }

  private static Prediction await(Predictions predictions, List<NamedTensor> tensors)
      throws InterruptedException {
    if (tensors.size() != 1) {
      throw new GrpcStatusException(
          Reason.BAD_EXAMPLES,
          "got %d tensors for a prediction; expected one".formatted(tensors.size()));
    }
    CompletableFuture<Prediction> answer = predictions.predict(tensors.getFirst().tensor());
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      answer.cancel(false); // in case this thread was interrupted
    }
  }

  private static void answer(ServerCall<?, PredictResponse> exchange, Prediction prediction)
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
