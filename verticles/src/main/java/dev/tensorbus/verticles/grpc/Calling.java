// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.Value;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.grpc.wire.NamedTensor;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import dev.tensorbus.verticles.grpc.wire.TensorReader;
import dev.tensorbus.verticles.grpc.wire.TensorWriter;
import dev.tensorbus.verticles.grpc.wire.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `Call`: an exported function on any worker.
///
/// @param rpc the worker that passes calls on
/// @param exports what may be called
/// @param maxTensorBytes of one call
record Calling(Rpc rpc, Exports exports, long maxTensorBytes)
    implements Exchange.Method<CallRequest, CallResponse> {
  @Override
  public void serve(Exchange<CallRequest, CallResponse> exchange) throws InterruptedException {
    CallRequest first = exchange.receive();
    if (first == null || !first.hasHead()) {
      throw new Refusal(Reason.BAD_MESSAGE, "the first message of a call has no head");
    }
    CallHead head = first.getHead();
    Export export = exports.require(head.getFunction()); // before any tensor is taken in
    List<@Nullable Object> arguments = arguments(head, tensors(exchange, first));
    answer(exchange, run(head, export, export.fit(arguments), exchange.left()));
  }

  /// Those that the arguments name; they may be there before the caller says that it has sent
  /// all.
  private List<NamedTensor> tensors(Exchange<CallRequest, CallResponse> exchange, CallRequest first)
      throws InterruptedException {
    int needed = Values.tensors(first.getHead().getArgumentsList());
    TensorReader reader = new TensorReader(maxTensorBytes);
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
    head.getArgumentsList().forEach(value -> arguments.add(Values.read(value, tensors)));
    return arguments;
  }

  /// Interrupting this thread gives the call up, on the other worker too.
  private @Nullable Object run(
      CallHead head, Export export, List<@Nullable Object> arguments, @Nullable Duration left) {
    CallOptions options = CallOptions.DEFAULT.failingWhenBusy();
    CallOptions timed = left == null ? options : options.withTimeout(left);
    String worker = head.getWorker().isEmpty() ? rpc.self().name() : head.getWorker();
    return rpc.<@Nullable Object>call(worker, new Call<>(export.function(), arguments, timed));
  }

  private static void answer(Exchange<?, CallResponse> exchange, @Nullable Object result)
      throws InterruptedException {
    List<Tensor> tensors = new ArrayList<>();
    Value value = Values.write(result, tensors);
    CallResponse.Builder head = CallResponse.newBuilder().setResult(value);
    TensorWriter.write(
        NamedTensor.of(tensors),
        (parts, isLast) -> {
          exchange.send(head.addAllParts(parts).build(), isLast);
          head.clear();
        });
  }
}
