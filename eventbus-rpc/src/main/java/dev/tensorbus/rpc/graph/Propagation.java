// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RemoteFunction.A3;
import dev.tensorbus.rpc.RemoteFunction.V4;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.serving.Pace;
import dev.tensorbus.rpc.wire.Gradients;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Begins backward passes and carries their messages between workers.
public final class Propagation {
  /// What the origin of a pass waits longer than others, so that their errors come first.
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Rpc rpc;
  private final Transport transport;

  /// Of all that messages of passes have this worker do.
  private final Pace pace = new Pace();

  Propagation(Rpc rpc, Transport transport) {
    this.rpc = rpc;
    this.transport = transport;
  }

  /// Runs a backward pass from these losses over every worker of the context. Blocks until every
  /// gradient is in its place.
  ///
  /// @throws RpcException if a worker fails, leaves, or does not answer in time
  void backward(WorkerContext context, long number, List<Tensor> losses) {
    if (losses.isEmpty()) {
      throw new IllegalArgumentException("backward: given no losses, so nothing to differentiate");
    }
    List<Node> roots = losses.stream().map(Propagation::requireRoot).toList();
    List<List<@Nullable Tensor>> gradients = losses.stream().map(Propagation::ones).toList();
    DistributedPass pass = Objects.requireNonNull(context.pass(number, roots));
    Duration limit = transport.timeout().plus(GRACE);
    if (!transport.await(pass.start(roots, gradients), limit)) {
      String peers = String.join(", ", pass.awaitedPeers());
      RpcTimeoutException late = new RpcTimeoutException(peers, "a backward pass", limit);
      pass.fail(late);
      throw late;
    }
    pass.finish();
  }

  /// One for a loss, none for what else the same function gave.
  private static List<@Nullable Tensor> ones(Tensor loss) {
    @Nullable Tensor[] ones = new Tensor[requireRoot(loss).outputs()];
    ones[loss.gradientEdge().output()] = Tensor.full(loss.shape(), loss.dtype(), 1);
    return Arrays.asList(ones);
  }

  private static Node requireRoot(Tensor loss) {
    if (!loss.shape().equals(Shape.SCALAR) && loss.shape().elements() != 1) {
      throw new ShapeException("backward", "starts from a scalar, this is " + loss.shape());
    }
    Node root = loss.gradientEdge().node();
    if (root == null) {
      throw new IllegalStateException(
          "backward: nothing that this tensor was computed from requires a gradient");
    }
    return root;
  }

  /// Sends a message of a pass, and gives what comes back at once.
  Future<List<Gradients>> deliver(String peer, long context, long pass, List<Gradients> gradients) {
    A3<Long, Long, List<Gradients>, List<Gradients>> function = Propagation::propagate;
    return attempt(() -> transport.send(peer, Call.of(function, context, pass, gradients)));
  }

  /// A worker that has left sends nothing.
  private static <T> Future<T> attempt(Supplier<Future<T>> call) {
    try {
      return Contexts.call(null, call);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Takes a message of a pass on the worker that it is for.
  @Remote(brief = true)
  static Future<List<Gradients>> propagate(Long context, Long pass, List<Gradients> gradients) {
    Contexts contexts = Contexts.of(Rpc.current());
    String from = Rpc.caller().name();
    return contexts.propagation().unlessLong(() -> take(contexts, context, pass, from, gradients));
  }

  private static Future<List<Gradients>> take(
      Contexts contexts, long context, long pass, String from, List<Gradients> gradients) {
    // The pass may overtake the call that brings the context here.
    WorkerContext part = contexts.demand(context);
    DistributedPass running = part == null ? null : part.pass(pass, List.of());
    return running == null
        ? Future.succeededFuture(List.of()) // over: nobody waits for this any more
        : running.receive(from, gradients);
  }

  /// Does what a message asks for on this thread, unless that is an event loop and work for
  /// passes has taken long of late.
  <T> Future<T> unlessLong(Supplier<Future<T>> work) {
    Supplier<Future<T>> timed =
        () -> {
          long start = System.nanoTime();
          Future<T> done = work.get();
          pace.tookSince(start);
          return done;
        };
    return Context.isOnEventLoopThread() && !pace.isShort() ? aside(timed) : timed.get();
  }

  /// Has a thread that may wait do it.
  <T> Future<T> aside(Supplier<Future<T>> work) {
    return transport.aside(work);
  }

  /// Tells all that can have heard of a pass that it has failed; they tell others.
  void tellFailure(WorkerContext context, long pass, Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), "");
    String type = cause.getClass().getName();
    V4<Long, Long, String, String> function = Propagation::passFailed;
    for (String peer : context.neighbours()) {
      if (!peer.equals(rpc.self().name())) {
        attempt(() -> transport.insist(peer, Call.of(function, context.id(), pass, type, message)));
      }
    }
  }

  /// Takes it that a pass has failed on the caller.
  @Remote
  static void passFailed(Long context, Long pass, String type, String message) {
    WorkerContext part = Contexts.of(Rpc.current()).find(context);
    if (part != null) {
      String worker = Rpc.caller().name();
      part.passFailed(
          pass, new RemoteException(worker, "a backward pass", type, message, "", true));
    }
  }
}
