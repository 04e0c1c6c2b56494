// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.graph.WorkerContext;
import java.util.List;
import java.util.Map;

/// Differentiates through remote calls, like `torch.distributed.autograd`.
///
/// Within a context, tensors that require a gradient are recorded by the worker that sends them and
/// by the worker that receives them. [DistContext#backward] sends their gradients back in the
/// opposite direction. The gradient of a leaf is stored in the context on the worker that owns the
/// leaf, never in the leaf's own `grad`, so any number of contexts may be open concurrently. Calls
/// made within [NoGrad][dev.tensorbus.autograd.NoGrad] belong to no context.
public final class DistAutograd {
  private DistAutograd() {}

  /// Opens a context for this thread, whose calls carry the context to other workers.
  ///
  /// @throws IllegalStateException if this thread already has a context
  public static DistContext context(Rpc rpc) {
    Recording entered = Recording.entered();
    if (entered != null) {
      throw new IllegalStateException(
          "this thread already records in autograd context "
              + entered.id()
              + "; close it first, or choose among several open contexts with DistContext.call");
    }
    DistContext context = open(rpc);
    context.enter();
    return context;
  }

  /// Opens a context that records only in [DistContext#call]. One thread can use several such
  /// contexts, and several threads can use one.
  public static DistContext open(Rpc rpc) {
    Contexts contexts = Contexts.of(rpc);
    return new DistContext(contexts, contexts.open());
  }

  /// Returns the gradients that a context's passes accumulated on this worker, by leaf. This worker
  /// is the one that this thread's context belongs to or, if the thread has no context, the one
  /// that runs the current remote call. Like `torch.distributed.autograd.get_gradients`.
  ///
  /// @throws IllegalArgumentException if the context is not known on this worker
  /// @throws IllegalStateException if this thread has no context and runs no remote call
  public static Map<Tensor, Tensor> gradients(long context) {
    Recording entered = Recording.entered();
    if (entered != null) {
      return gradients(entered.contexts(), context);
    }
    if (CallContext.around() == null) {
      throw new IllegalStateException(
          "gradients: this thread records in no autograd context and runs no remote call; name the"
              + " worker with DistAutograd.gradients(rpc, id)");
    }
    return gradients(Rpc.current(), context);
  }

  /// Returns the gradients that a context's passes accumulated on a worker of this process, by
  /// leaf.
  ///
  /// @throws IllegalArgumentException if the context is not known on that worker
  public static Map<Tensor, Tensor> gradients(Rpc rpc, long context) {
    return gradients(Contexts.of(rpc), context);
  }

  private static Map<Tensor, Tensor> gradients(Contexts here, long context) {
    Recording entered = Recording.entered();
    return here.gradients(context, entered != null && entered.id() == context);
  }

  /// Runs a backward pass in the caller's context from a loss on this worker.
  @Remote
  static boolean beginHere(Tensor loss) {
    Recording recording = Recording.current();
    WorkerContext context = recording == null ? null : recording.getOrCreate();
    if (recording == null || context == null) {
      throw new IllegalStateException("the autograd context of this call is closed");
    }
    recording.contexts().backward(context, List.of(loss));
    return true;
  }
}
