// SPDX-License-Identifier: Apache-2.0

/// Decides how threads wait; docs/execution.md explains when a thread spins.
///
/// An `IdleStrategy` is for a thread that polls for work. Three classes do not implement it, since
/// they would be slower behind that interface:
///
/// - `SpinThenPark` waits for a future, whose completion wakes the thread. A strategy that parks
///   for fixed periods would wake up in vain, and too late for the answer.
/// - `SpinningChannel` spins before a read; after that the operating system wakes the reader.
/// - `YieldPolicy` does not wait. A thread that has work calls it between two pieces of the work.
package dev.tensorbus.rpc.thread.idle;
