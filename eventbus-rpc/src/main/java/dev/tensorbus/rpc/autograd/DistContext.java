// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.graph.WorkerContext;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The recorded calls and the gradients of one iteration, on every worker that the calls reached.
/// Closing the context releases them on all workers, without waiting.
public final class DistContext implements AutoCloseable {
  private final Contexts contexts;
  private final WorkerContext context;

  /// Whether a backward pass that was started through this object has completed.
  private volatile boolean hasPassed;

  DistContext(Contexts contexts, WorkerContext context) {
    this.contexts = contexts;
    this.context = context;
  }

  /// Makes this thread record in this context until the context is closed.
  void enter() {
    recording().enter();
  }

  /// Returns the context's id, the same on every worker.
  public long id() {
    return context.id();
  }

  /// Runs `body` and records in this context the calls that `body` and its structured forks make.
  /// Takes precedence over any other context of this thread. Several threads may use one context
  /// concurrently.
  ///
  /// @throws IllegalArgumentException if this context is closed
  public <R> R call(Supplier<R> body) {
    contexts.context(id()); // checks that it is open
    return Recording.call(recording(), body::get);
  }

  private Recording recording() {
    return new Recording(contexts, id(), null);
  }

  /// Computes the gradient of the sum of these scalars with respect to every leaf, on whatever
  /// worker, that they depend on. Each gradient stays on the worker that owns the leaf. Blocks
  /// until all gradients are computed. If a worker dies, the pass fails on every worker.
  ///
  /// @throws IllegalArgumentException if this context is closed
  public void backward(Tensor... losses) {
    contexts.backward(contexts.context(id()), List.of(losses));
    hasPassed = true;
  }

  /// Runs a backward pass from a loss that any worker may own. The owner starts the pass.
  public void backward(RRef<Tensor> loss) {
    if (loss.isOwner()) {
      backward(loss.localValue());
    } else {
      hasPassed = call(() -> loss.rpcSync(DistAutograd::beginHere));
    }
  }

  /// Returns the gradients of this worker's leaves.
  public Map<Tensor, Tensor> gradients() {
    return context.gradients();
  }

  /// Returns whether there are gradients for an optimizer step: a backward pass has completed in
  /// this context, or gradients were averaged into it.
  public boolean hasGradients() {
    return hasPassed || !gradients().isEmpty();
  }

  @Override
  public void close() {
    Recording.leave(id());
    contexts.close(id());
  }
}
