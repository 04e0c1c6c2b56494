// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.util.List;

/// A timed event of a profile. Like `torch.autograd.profiler_util.FunctionEvent`.
///
/// @param name the full name: a call is `rpcSync#Server.forward(trainer1 -> ps)`, and events in its
///     method are prefixed with the call's name: `…#remote_op: matmul`
/// @param ownName the name without the prefix
/// @param worker the worker where it ran: torch's `node_id` is its id
/// @param thread the thread on which it started
/// @param isAsync whether it may have ended after its parent
/// @param isRemote whether it ran in a method called by a call of this profile
/// @param startNanos its start in nanoseconds since the start of the profile, by the profiling
///     worker's clock
/// @param nanos the duration
/// @param selfNanos the duration without its children
/// @param shapes the shapes of an operation's inputs if requested, else empty
/// @param bytes the size of an operation's results if requested, else 0
/// @param children the events nested in it on its thread, ordered by start
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
  /// Copies the lists.
  public FunctionEvent {
    children = List.copyOf(children);
  }

  /// Returns the end in nanoseconds since the start of the profile.
  public long endNanos() {
    return startNanos + nanos;
  }
}
