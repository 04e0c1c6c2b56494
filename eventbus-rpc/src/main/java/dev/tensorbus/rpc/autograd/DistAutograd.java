// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.graph.WorkerContext;
import java.util.List;
import java.util.Map;

/// Differentiates through calls. After `torch.distributed.autograd`.
///
/// Inside a context, tensors that require a gradient are recorded where they leave a worker and
/// where they arrive; [DistContext#backward] sends gradients back the same way. They are kept in
/// the context on the worker that owns the tensor, never in the tensor's own `grad`, so any
/// number of contexts may run at once. Calls made within
/// [NoGrad][dev.tensorbus.autograd.NoGrad] belong to no context.
public final class DistAutograd {
  private DistAutograd() {}

  /// Opens a context for this thread; calls that it makes carry it to other workers.
  ///
  /// @throws IllegalStateException if this thread already has one
  public static DistContext context(Rpc rpc) {
    Recording entered = Contexts.entered();
    if (entered != null) {
      throw new IllegalStateException(
          "this thread already records in autograd context "
              + entered.id()
              + "; close that first, or open several and choose with DistContext.call");
    }
    DistContext context = open(rpc);
    context.enter();
    return context;
  }

  /// Opens a context in which only that is recorded what [DistContext#call] runs: for several
  /// contexts on one thread, or several threads in one context.
  public static DistContext open(Rpc rpc) {
    Contexts contexts = Contexts.of(rpc);
    return new DistContext(contexts, contexts.open());
  }

  /// The gradients that a context's passes left on the worker on which the present remote call
  /// runs, by leaf. After `torch.distributed.autograd.get_gradients`.
  ///
  /// @throws IllegalArgumentException if the context is not known here
  public static Map<Tensor, Tensor> gradients(long context) {
    return Contexts.of(Rpc.current()).gradients(context);
  }

  /// Runs a pass of the caller's context from a loss of this worker.
  @Remote
  static boolean beginHere(Tensor loss) {
    Recording recording = Contexts.current();
    WorkerContext context = recording == null ? null : recording.demand();
    if (context == null) {
      throw new IllegalStateException("the autograd context of this call is closed");
    }
    context.backward(List.of(loss));
    return true;
  }
}
