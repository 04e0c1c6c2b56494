// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.grpc.v1.Model;
import dev.tensorbus.grpc.v1.Worker;
import dev.tensorbus.grpc.v1.WorkersRequest;
import dev.tensorbus.grpc.v1.WorkersResponse;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import dev.tensorbus.verticles.grpc.wire.NamedTensor;

/// `Workers`: who is there, and what may be called.
///
/// @param rpc the worker whose door this is
/// @param exports what may be called
record Listing(Rpc rpc, Exports exports)
    implements Exchange.Method<WorkersRequest, WorkersResponse> {
  @Override
  public void serve(Exchange<WorkersRequest, WorkersResponse> exchange)
      throws InterruptedException {
    WorkersResponse.Builder response =
        WorkersResponse.newBuilder()
            .setSelf(rpc.self().name())
            .addAllWorkers(rpc.workers().stream().map(Listing::worker).toList())
            .addAllFunctions(exports.names());
    ServedModel model = exports.model();
    if (model != null) {
      response.setModel(describe(model));
    }
    exchange.send(response.build(), true);
  }

  /// A worker as others see it.
  static Worker worker(WorkerInfo info) {
    return Worker.newBuilder().setName(info.name()).setRank(info.id()).build();
  }

  private static Model describe(ServedModel model) {
    Model.Builder described =
        Model.newBuilder()
            .addAllParameters(model.parameters().stream().map(NamedTensor::head).toList())
            .setTrainers(model.trainers())
            .setVersion(model.version());
    for (int size : model.predictions().example().toArray()) {
      described.addExampleShape(size);
    }
    return described.build();
  }
}
