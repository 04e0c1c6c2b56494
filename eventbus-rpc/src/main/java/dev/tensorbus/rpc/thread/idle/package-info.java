// SPDX-License-Identifier: Apache-2.0

/// Decides how a thread waits, and does it: docs/execution.md explains when a thread spins.
///
/// An `IdleStrategy` is for a thread that looks for work again and again. Three classes beside it
/// would lose by that interface:
///
/// - `SpinThenPark` waits for a future, which wakes its thread. A strategy that parks for a time
///   would wake up for nothing, and later than the answer.
/// - `SpinningChannel` spins before a read, and the operating system wakes the reader after that.
/// - `YieldPolicy` does not wait. It is for a thread that has work, between two parts of it.
package dev.tensorbus.rpc.thread.idle;
