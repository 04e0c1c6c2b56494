// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.ProtoValues;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.grpc.gateway.wire.TensorWriter;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.Value;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Rpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `Call`: calls an exported function on any worker.
///
/// @param rpc the worker that forwards the calls
/// @param exports the functions that may be called
record CallMethod(Rpc rpc, Exports exports)
    implements ServerCall.Method<CallRequest, CallResponse> {
  @Override
  public void serve(ServerCall<CallRequest, CallResponse> exchange) throws InterruptedException {
    CallRequest first = exchange.receive();
    if (first == null || !first.hasHead()) {
      throw new GrpcStatusException(Reason.BAD_MESSAGE, "the first message of a call has no head");
    }
    CallHead head = first.getHead();
    ExportedFunction export = exports.require(head.getFunction()); // before any tensor is read
    List<@Nullable Object> arguments = arguments(head, tensors(exchange, first));
    answer(exchange, run(head, export, export.fit(arguments), exchange.left()));
  }

  /// Reads the tensors that the arguments refer to. Returns once they are complete, possibly before
  /// the caller half-closes.
  private List<NamedTensor> tensors(
      ServerCall<CallRequest, CallResponse> exchange, CallRequest first)
      throws InterruptedException {
    int needed = ProtoValues.tensors(first.getHead().getArgumentsList());
    TensorReader reader = exchange.tensors();
    reader.add(first.getPartsList());
    while (reader.complete().size() < needed) {
      CallRequest next = exchange.receive();
      if (next == null) {
        return reader.tensors();
      }
      reader.add(next.getPartsList());
    }
    return reader.complete();
  }

  private static List<@Nullable Object> arguments(CallHead head, List<NamedTensor> tensors) {
    List<@Nullable Object> arguments = new ArrayList<>();
    head.getArgumentsList().forEach(value -> arguments.add(ProtoValues.read(value, tensors)));
    return arguments;
  }

  /// Calls the function. Interrupting this thread cancels the call, also on the worker that runs
  /// it.
  private @Nullable Object run(
      CallHead head,
      ExportedFunction export,
      List<@Nullable Object> arguments,
      @Nullable Duration left) {
    CallOptions options = CallOptions.DEFAULT.failingWhenBusy();
    CallOptions timed = left == null ? options : options.withTimeout(left);
    String worker = head.getWorker().isEmpty() ? rpc.self().name() : head.getWorker();
    return rpc.<@Nullable Object>call(worker, new Call<>(export.function(), arguments, timed));
  }

  private static void answer(ServerCall<?, CallResponse> exchange, @Nullable Object result)
      throws InterruptedException {
    List<Tensor> tensors = new ArrayList<>();
    Value value = ProtoValues.write(result, tensors);
    CallResponse.Builder head = CallResponse.newBuilder().setResult(value);
    TensorWriter.write(
        NamedTensor.of(tensors),
        (parts, isLast) -> {
          exchange.send(head.addAllParts(parts).build(), isLast);
          head.clear();
        });
  }
}
