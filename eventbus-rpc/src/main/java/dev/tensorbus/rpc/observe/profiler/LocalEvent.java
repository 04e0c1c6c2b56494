// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// An event as one process has recorded it, to be sent to the profiling worker.
///
/// @param name the name of the operation, the block, the function or the part of a pass
/// @param detail how a call was made, or the shapes of an operation's inputs
/// @param worker the worker that it belongs to; empty for the worker of its thread
/// @param peer the other worker; empty if there is none
/// @param context the autograd context of a part of a pass
/// @param number the number of a call, or of the message that carried tensors
/// @param thread the name of the thread on which it started
/// @param threadId the id of that thread in its process
/// @param isAsync whether it may end after its parent on that thread
/// @param start nanoseconds since 1970 by the clock of its host
/// @param nanos the duration
/// @param bytes the size of an operation's results
record LocalEvent(
    EventKind kind,
    String name,
    String detail,
    String worker,
    String peer,
    long context,
    long number,
    String thread,
    long threadId,
    boolean isAsync,
    long start,
    long nanos,
    long bytes) {}
