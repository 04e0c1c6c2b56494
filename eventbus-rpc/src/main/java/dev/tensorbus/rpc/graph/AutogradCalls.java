// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.V4;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sends the messages of distributed autograd as calls, and has the methods that they call.
public final class AutogradCalls implements AutogradPeers {
  private final WorkerInfo self;
  private final Transport transport;

  /// Calls from a worker.
  public AutogradCalls(WorkerInfo self, Transport transport) {
    this.self = self;
    this.transport = transport;
  }

  @Override
  public Future<List<Gradients>> propagate(
      String peer,
      long context,
      long pass,
      @Nullable TraceContext trace,
      List<Gradients> gradients) {
    A4<Long, Long, @Nullable TraceContext, List<Gradients>, List<Gradients>> function =
        AutogradCalls::receiveGradients;
    return attempt(() -> transport.send(peer, Call.of(function, context, pass, trace, gradients)));
  }

  @Override
  public void tellFailure(String peer, long context, long pass, Throwable cause) {
    if (peer.equals(self.name())) {
      return;
    }
    String message = Objects.requireNonNullElse(cause.getMessage(), "");
    String type = cause.getClass().getName();
    V4<Long, Long, String, String> function = AutogradCalls::receiveFailure;
    Future<Void> _ =
        attempt(() -> transport.insist(peer, Call.of(function, context, pass, type, message)));
  }

  @Override
  public Future<List<Long>> closedContexts(String peer, List<Long> contexts) {
    F1<List<Long>, List<Long>> function = AutogradCalls::closedOf;
    return attempt(() -> transport.ask(peer, Call.of(function, List.copyOf(contexts))));
  }

  /// Makes a call outside of every context. A call to a worker that has left fails at once.
  private static <T> Future<T> attempt(Supplier<Future<T>> call) {
    try {
      return Recording.outside(call);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Takes a message of a pass on the worker that it is for.
  @Remote(execution = Execution.EVENT_LOOP)
  static Future<List<Gradients>> receiveGradients(
      Long context, Long pass, @Nullable TraceContext trace, List<Gradients> gradients) {
    String from = Rpc.caller().name();
    return Contexts.of(Rpc.current()).receiveGradients(from, context, pass, trace, gradients);
  }

  /// Ends this worker's part of a pass that has failed on the caller.
  @Remote
  static void receiveFailure(Long context, Long pass, String type, String message) {
    WorkerContext part = Contexts.of(Rpc.current()).find(context);
    if (part != null && part.knows(Rpc.caller())) {
      String worker = Rpc.caller().name();
      part.passFailed(
          pass, new RemoteException(worker, "a backward pass", type, message, "", true));
    }
  }

  /// Which of these contexts, all of which this worker opened, it has closed.
  @Remote
  static List<Long> closedOf(List<Long> contexts) {
    Contexts here = Contexts.of(Rpc.current());
    return contexts.stream().filter(here::isOver).toList();
  }
}
