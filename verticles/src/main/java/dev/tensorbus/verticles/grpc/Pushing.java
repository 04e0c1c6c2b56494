// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.TrainerState;
import dev.tensorbus.verticles.grpc.model.ServedModel;

/// `PushGradients`: what trainers outside have learned.
///
/// @param exports has the model
/// @param events who watches is told
/// @param maxTensorBytes of one push
record Pushing(Exports exports, Events events, long maxTensorBytes)
    implements Exchange.Method<PushGradientsRequest, PushGradientsResponse> {
  @Override
  public void serve(Exchange<PushGradientsRequest, PushGradientsResponse> exchange)
      throws InterruptedException {
    ServedModel model = exports.requireModel();
    PushStream stream = new PushStream(model, events, maxTensorBytes);
    TrainerState end = TrainerState.TRAINER_STATE_LOST;
    try {
      for (var next = exchange.receive(); next != null; next = exchange.receive()) {
        PushGradientsResponse answer = stream.take(next);
        if (answer != null) {
          exchange.send(answer);
        }
      }
      stream.requireComplete();
      end = TrainerState.TRAINER_STATE_ENDED;
    } finally {
      stream.leave(end);
    }
  }
}
