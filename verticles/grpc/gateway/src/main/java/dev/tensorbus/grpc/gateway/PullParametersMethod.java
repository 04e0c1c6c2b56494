// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorWriter;
import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PullParametersResponse;
import dev.tensorbus.optim.server.PulledParameters;

/// `PullParameters`: returns the model's parameters.
///
/// @param exports provides the model
record PullParametersMethod(Exports exports)
    implements ServerCall.Method<PullParametersRequest, PullParametersResponse> {
  @Override
  public void serve(ServerCall<PullParametersRequest, PullParametersResponse> exchange)
      throws InterruptedException {
    PullParametersRequest request = exchange.receive();
    if (request == null) {
      throw new GrpcStatusException(Reason.BAD_MESSAGE, "the request has no message; send one");
    }
    PulledParameters pulled =
        exports.requireModel().pull(request.getNamesList(), request.getNewerThan());
    TensorWriter.write(
        NamedTensor.of(pulled.tensors()),
        (parts, isLast) ->
            exchange.send(
                PullParametersResponse.newBuilder()
                    .setVersion(pulled.version())
                    .addAllParts(parts)
                    .build(),
                isLast));
  }
}
