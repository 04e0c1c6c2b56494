// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PullParametersResponse;
import dev.tensorbus.verticles.grpc.model.ServedModel.Parameters;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import dev.tensorbus.verticles.grpc.wire.TensorWriter;

/// `PullParameters`: the model's values.
///
/// @param exports has the model
record Pulling(Exports exports)
    implements Exchange.Method<PullParametersRequest, PullParametersResponse> {
  @Override
  public void serve(Exchange<PullParametersRequest, PullParametersResponse> exchange)
      throws InterruptedException {
    PullParametersRequest request = exchange.receive();
    if (request == null) {
      throw new Refusal(Reason.BAD_MESSAGE, "a pull without a message");
    }
    Parameters pulled = exports.requireModel().pull(request.getNamesList(), request.getNewerThan());
    TensorWriter.write(
        pulled.tensors(),
        (parts, isLast) ->
            exchange.send(
                PullParametersResponse.newBuilder()
                    .setVersion(pulled.version())
                    .addAllParts(parts)
                    .build(),
                isLast));
  }
}
