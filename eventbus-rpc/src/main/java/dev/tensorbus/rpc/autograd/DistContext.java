// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.WorkerContext;
import java.util.List;
import java.util.Map;

/// One iteration's calls and gradients, over every worker that the calls reached. Confined to the
/// thread that opened it; closing it releases it everywhere, without waiting.
public final class DistContext implements AutoCloseable {
  private final Contexts contexts;
  private final WorkerContext context;

  DistContext(Contexts contexts) {
    this.contexts = contexts;
    this.context = contexts.open();
  }

  /// Names this context on every worker.
  public long id() {
    return context.id();
  }

  /// Computes the gradient of the sum of these scalars with respect to every leaf that they
  /// depend on, on whatever worker; each stays with its owner. Waits until all are there. Ends
  /// with an error, on every worker, if one of them dies.
  ///
  /// @throws IllegalArgumentException if this context is closed
  public void backward(Tensor... losses) {
    contexts.backward(contexts.context(id()), List.of(losses));
  }

  /// The same from a loss that any worker may own: the pass begins there.
  public void backward(RRef<Tensor> loss) {
    if (loss.isOwner()) {
      backward(loss.localValue());
    } else {
      loss.rpcSync(DistAutograd::beginHere);
    }
  }

  /// The gradients of this worker's own leaves.
  public Map<Tensor, Tensor> gradients() {
    return context.gradients();
  }

  @Override
  public void close() {
    Contexts.enter(null);
    contexts.release(context.id());
  }
}
