// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// An event as recorded by one process, to be sent to the profiling worker.
///
/// @param name the name of the operation, block or function, or of the step of a backward pass
/// @param detail the mode of a call, such as `rpcSync`, or the shapes of an operation's inputs
/// @param worker the worker to which the event belongs; empty if the enclosing event or the
///     recorder determines it
/// @param peer the other worker; empty if there is none
/// @param context the autograd context of a backward pass
/// @param number the number of a call, or of a message with tensors
/// @param thread the name of the thread on which the event started
/// @param threadId the id of that thread in its process
/// @param isAsync whether the event may end after its parent on that thread
/// @param start the start in nanoseconds since 1970, by the clock of the host
/// @param nanos the duration in nanoseconds
/// @param bytes the size of an operation's results in bytes
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
