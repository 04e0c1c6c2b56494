// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.v1.Model;
import dev.tensorbus.grpc.v1.Worker;
import dev.tensorbus.grpc.v1.WorkersRequest;
import dev.tensorbus.grpc.v1.WorkersResponse;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.PulledParameters;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import java.util.List;

/// `Workers`: lists the workers of the world, the exported functions and the model.
///
/// @param rpc the worker that runs this gateway
/// @param exports the exported functions and model
record WorkersMethod(Rpc rpc, Exports exports)
    implements ServerCall.Method<WorkersRequest, WorkersResponse> {
  @Override
  public void serve(ServerCall<WorkersRequest, WorkersResponse> exchange)
      throws InterruptedException {
    WorkersResponse.Builder response =
        WorkersResponse.newBuilder()
            .setSelf(rpc.self().name())
            .addAllWorkers(rpc.workers().stream().map(WorkersMethod::worker).toList())
            .addAllFunctions(exports.names());
    ModelServer model = exports.model();
    if (model != null) {
      response.setModel(describe(model));
    }
    exchange.send(response.build(), true);
  }

  /// Converts a worker's name and rank to a message.
  static Worker worker(WorkerInfo info) {
    return Worker.newBuilder().setName(info.name()).setRank(info.id()).build();
  }

  private static Model describe(ModelServer model) {
    PulledParameters now = model.pull(List.of(), 0);
    Model.Builder described =
        Model.newBuilder()
            .addAllParameters(
                NamedTensor.of(now.tensors()).stream().map(NamedTensor::head).toList())
            .setTrainers(model.trainers().expected())
            .setVersion(now.version());
    for (int size : model.predictions().example().toArray()) {
      described.addExampleShape(size);
    }
    return described.build();
  }
}
