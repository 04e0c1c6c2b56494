// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.util.List;

/// Something that took time in a profile. After `torch.autograd.profiler_util.FunctionEvent`.
///
/// @param name its full name: a call is `rpcSync#Server.forward(trainer1 -> ps)`, and what runs in
///     its method has that before its own: `…#remote_op: matmul`
/// @param ownName the name without that of a call before it
/// @param worker the worker where it ran: torch's `node_id` is its id
/// @param thread the thread on which it began
/// @param isAsync whether it may have ended after what is around it there
/// @param isRemote whether it ran in a method that a call of this profile asked for
/// @param startNanos when it began, in nanoseconds since the profile did, by the clock of the
///     worker that profiles
/// @param nanos how long it took
/// @param selfNanos how long it took less its children
/// @param shapes of an operation's inputs, if they were asked for, else empty
/// @param bytes of an operation's results, if they were asked for, else 0
/// @param children what it did on its thread, in the order of their begin
public record FunctionEvent(
    String name,
    String ownName,
    EventKind kind,
    WorkerInfo worker,
    String thread,
    boolean isAsync,
    boolean isRemote,
    long startNanos,
    long nanos,
    long selfNanos,
    String shapes,
    long bytes,
    List<FunctionEvent> children) {
  /// Keeps a copy.
  public FunctionEvent {
    children = List.copyOf(children);
  }

  /// When it ended, in nanoseconds since the profile began.
  public long endNanos() {
    return startNanos + nanos;
  }
}
