// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.util.List;

/// A timed event of a profile. Like `torch.autograd.profiler_util.FunctionEvent`.
///
/// @param name the full name: a call is named `rpcSync#Server.forward(trainer1 -> ps)`, and events
///     in the method of a call have the name of the call as a prefix: `…#remote_op: matmul`
/// @param ownName the name without the prefix
/// @param worker the worker on which the event occurred; its id corresponds to torch's `node_id`
/// @param thread the name of the thread on which the event started
/// @param isAsync whether the event may end after its parent
/// @param isRemote whether the event occurred in a method that a call in this profile invoked
/// @param startNanos the start in nanoseconds since the start of the profile, by the profiling
///     worker's clock
/// @param nanos the duration in nanoseconds
/// @param selfNanos the duration in nanoseconds without the synchronous children
/// @param shapes the shapes of an operation's inputs if requested, else empty
/// @param bytes the size of an operation's results in bytes if requested, else 0
/// @param children the events nested in this event on its thread, ordered by start
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
  /// Copies the list.
  public FunctionEvent {
    children = List.copyOf(children);
  }

  /// Returns the end in nanoseconds since the start of the profile.
  public long endNanos() {
    return startNanos + nanos;
  }
}
