// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// An event as one process has recorded it. These travel to the worker that profiles.
///
/// @param name of the operation, the block, the function or the part of a pass
/// @param detail how a call was made, or the shapes of an operation's inputs
/// @param worker the worker that it belongs to; empty if that of its thread
/// @param peer the other worker; empty if there is none
/// @param context the autograd context of a part of a pass
/// @param number of a call, or of the message that brought tensors
/// @param thread the name of the thread on which it began
/// @param threadId the number of that thread in its process
/// @param isAsync whether it may end after what is around it on that thread
/// @param start nanoseconds since 1970 by the clock of its host
/// @param nanos how long it took
/// @param bytes of an operation's results
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
