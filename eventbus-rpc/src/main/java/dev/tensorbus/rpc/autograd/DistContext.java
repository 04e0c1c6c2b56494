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

/// One iteration's calls and gradients, over every worker that the calls reached. Closing it
/// releases it everywhere, without waiting.
public final class DistContext implements AutoCloseable {
  private final Contexts contexts;
  private final WorkerContext context;

  DistContext(Contexts contexts, WorkerContext context) {
    this.contexts = contexts;
    this.context = context;
  }

  /// Has this thread record here until it closes the context.
  void enter() {
    Contexts.enter(context.recording());
  }

  /// Names this context on every worker.
  public long id() {
    return context.id();
  }

  /// Runs `body`, whose calls belong to this context, whatever this thread records in otherwise.
  /// Several threads may do so at once.
  ///
  /// @throws IllegalArgumentException if this context is closed
  public <R> R call(Supplier<R> body) {
    return Contexts.call(contexts.context(id()).recording(), body);
  }

  /// Computes the gradient of the sum of these scalars with respect to every leaf that they
  /// depend on, on whatever worker; each stays with its owner. Waits until all are there. Ends
  /// with an error, on every worker, if one of them dies.
  ///
  /// @throws IllegalArgumentException if this context is closed
  public void backward(Tensor... losses) {
    contexts.context(id()).backward(List.of(losses));
  }

  /// The same from a loss that any worker may own: the pass begins there.
  public void backward(RRef<Tensor> loss) {
    if (loss.isOwner()) {
      backward(loss.localValue());
    } else {
      call(() -> loss.rpcSync(DistAutograd::beginHere));
    }
  }

  /// The gradients of this worker's own leaves.
  public Map<Tensor, Tensor> gradients() {
    return context.gradients();
  }

  @Override
  public void close() {
    Recording entered = Contexts.entered();
    if (entered != null && entered.id() == id()) {
      Contexts.enter(null);
    }
    contexts.release(id());
  }
}
