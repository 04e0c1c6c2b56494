// SPDX-License-Identifier: Apache-2.0

/// How threads wait; docs/execution.md explains when a thread spins.
///
/// An `IdleStrategy` is for a thread that polls for work. Three classes do not implement it, since
/// they would be slower behind that interface:
///
/// - `SpinThenPark` waits for a future, which wakes its thread. A strategy that parks for a time
///   would wake up for nothing, and later than the answer.
/// - `SpinningChannel` spins before a read; after that the operating system wakes the reader.
/// - `YieldPolicy` does not wait. It is for a thread that has work, between two parts of it.
package dev.tensorbus.rpc.thread.idle;
