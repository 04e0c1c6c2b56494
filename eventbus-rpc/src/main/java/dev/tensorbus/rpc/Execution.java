// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Which thread runs a remote method, or what follows a call, in the words of Vert.x's
/// `ThreadingModel` and of the JDK. See [Remote#execution] and [CallOptions#continuingOn].
public enum Execution {
  /// The event loop that took the message. For code that takes microseconds and never waits: the
  /// loop hears nothing else meanwhile. Waiting there, as `rpcSync` does, fails with an
  /// [IllegalStateException]; `rpcAsync` is allowed.
  ///
  /// A virtual thread runs the code all the same where something must be waited for first, or
  /// copied at length.
  EVENT_LOOP,

  /// A virtual thread of its own. The code may wait, and it may call other workers.
  VIRTUAL_THREAD,

  /// A thread of the operating system of its own, for remote methods alone. The code may wait, too.
  /// For code that computes for long between its calls, such as a training: a virtual thread would
  /// be handed to another thread after each answer, and computes at the cost of other calls.
  PLATFORM_THREAD,

  /// The event loop while the code has been short of late, and a virtual thread otherwise. For
  /// code that only computes: it never waits, but nobody knows how long it takes. The operations
  /// of tensors are such code.
  ADAPTIVE
}
