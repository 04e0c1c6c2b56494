// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.TrainerState;
import dev.tensorbus.optim.server.ModelServer;

/// `PushGradients`: applies gradients from trainers outside the world to the model.
///
/// @param exports provides the model
/// @param events publishes which trainers join and leave
record PushGradientsMethod(Exports exports, WatchEvents events)
    implements ServerCall.Method<PushGradientsRequest, PushGradientsResponse> {
  @Override
  public void serve(ServerCall<PushGradientsRequest, PushGradientsResponse> exchange)
      throws InterruptedException {
    ModelServer model = exports.requireModel();
    PushStream stream = new PushStream(model, events, exchange::tensors);
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
