// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.graph.pass.DistributedPass;
import dev.tensorbus.rpc.jfr.BackwardEvent;
import dev.tensorbus.rpc.observe.trace.SentSpan;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Starts backward passes on this worker and waits for their end.
final class PassOrigin {
  private final String self;
  private final IdGenerator ids;
  private final PassWait wait;
  private final Tracing tracing;

  /// @param self the name of this worker
  PassOrigin(String self, IdGenerator ids, PassWait wait, Tracing tracing) {
    this.self = self;
    this.ids = ids;
    this.wait = wait;
    this.tracing = tracing;
  }

  /// Runs a backward pass from these losses over every worker of the context. Blocks until every
  /// gradient is computed.
  ///
  /// @throws RpcException if a worker fails, leaves, or does not answer in time
  void backward(WorkerContext context, List<Tensor> losses) {
    BackwardEvent event = BackwardEvent.begun(BackwardEvent.PASS, self, context.id());
    try {
      traced(context, losses);
    } finally {
      event.commit();
    }
  }

  private void traced(WorkerContext context, List<Tensor> losses) {
    SentSpan span = tracing.pass();
    if (span == null) {
      backward(context, losses, null);
      return;
    }
    try {
      backward(context, losses, span.trace());
      span.end();
    } catch (RuntimeException | Error e) {
      span.fail(e);
      throw e;
    }
  }

  private void backward(WorkerContext context, List<Tensor> losses, @Nullable TraceContext trace) {
    if (losses.isEmpty()) {
      throw new IllegalArgumentException("backward: given no losses, so nothing to differentiate");
    }
    List<Node> roots = losses.stream().map(PassOrigin::requireRoot).toList();
    List<List<@Nullable Tensor>> gradients = losses.stream().map(PassOrigin::ones).toList();
    DistributedPass pass = Objects.requireNonNull(context.pass(ids.next(), roots));
    pass.tracedIn(trace);
    if (!wait.await(pass.start(roots, gradients))) {
      List<String> awaited = pass.awaitedPeers();
      String peers = awaited.isEmpty() ? self : String.join(", ", awaited);
      RpcTimeoutException late = new RpcTimeoutException(peers, "a backward pass", wait.limit());
      pass.fail(late);
      throw late;
    }
    pass.finish();
  }

  private static Node requireRoot(Tensor loss) {
    if (!loss.shape().equals(Shape.SCALAR) && loss.shape().numel() != 1) {
      throw new ShapeException(
          "backward", "the loss must be a scalar, but has shape " + loss.shape());
    }
    Node root = loss.gradientEdge().node();
    if (root == null) {
      throw new IllegalStateException(
          "backward: nothing that this tensor was computed from requires a gradient; calls are"
              + " recorded only on a thread that called DistAutograd.context(rpc), in"
              + " DistContext.call, and in a task wrapped by Rpc.wrap there");
    }
    return root;
  }

  /// Returns a gradient for each output of the function that computed a loss: ones for the loss,
  /// null for the other outputs.
  private static List<@Nullable Tensor> ones(Tensor loss) {
    @Nullable Tensor[] ones = new Tensor[requireRoot(loss).outputs()];
    ones[loss.gradientEdge().output()] = Tensor.full(loss.shape(), loss.dtype(), 1);
    return Arrays.asList(ones);
  }
}
