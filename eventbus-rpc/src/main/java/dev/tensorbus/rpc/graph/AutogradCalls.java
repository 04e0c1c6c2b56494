// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.V4;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.ControlCalls;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sends the messages of distributed autograd as calls, and handles such messages from other
/// workers.
public final class AutogradCalls implements AutogradPeers {
  /// The options of calls that send gradients. They are repeated, because lost gradients would fail
  /// the pass. The handlers of their answers run on an event loop and must not block.
  private static final CallOptions REPEATED =
      CallOptions.DEFAULT.withRetry(Duration.ofMillis(200)).continuingOn(Execution.EVENT_LOOP);

  private final WorkerInfo self;
  private final CallSender calls;
  private final ControlCalls control;

  /// Creates the autograd calls of a worker.
  public AutogradCalls(WorkerInfo self, CallSender calls) {
    this.self = self;
    this.calls = calls;
    this.control = new ControlCalls(calls);
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
    Call<List<Gradients>> message = Call.of(function, context, pass, trace, gradients);
    return attempt(() -> calls.send(Target.worker(peer), message.with(REPEATED)));
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
        attempt(() -> control.send(peer, Call.of(function, context, pass, type, message)));
  }

  @Override
  public Future<List<Long>> closedContexts(String peer, List<Long> contexts) {
    F1<List<Long>, List<Long>> function = AutogradCalls::closedOf;
    Call<List<Long>> question = Call.of(function, List.copyOf(contexts));
    return attempt(() -> calls.send(Target.worker(peer), question));
  }

  /// Makes a call outside of any context. The future fails if the call cannot be made, for example
  /// because the worker has left.
  private static <T> Future<T> attempt(Supplier<Future<T>> call) {
    try {
      return Recording.outside(call);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Handles a message of a pass.
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

  /// Returns the contexts among `contexts` that this worker has closed. This worker must have
  /// opened all of them.
  @Remote
  static List<Long> closedOf(List<Long> contexts) {
    Contexts here = Contexts.of(Rpc.current());
    return contexts.stream().filter(here::isOver).toList();
  }
}
