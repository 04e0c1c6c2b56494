// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// The thread that runs a remote method or the listeners of a call. The names follow Vert.x's
/// `ThreadingModel` and the JDK. See [Remote#execution] and [CallOptions#continuingOn].
public enum Execution {
  /// The event loop that received the message. For code that takes microseconds and never waits,
  /// since the loop handles no other message while the code runs. Blocking methods such as
  /// `rpcSync` throw [IllegalStateException] there; `rpcAsync` is allowed.
  ///
  /// The code runs on a virtual thread nevertheless if the arguments or the result are large, or
  /// cannot be decoded without waiting.
  EVENT_LOOP,

  /// A new virtual thread. The code may block, and it may call other workers.
  VIRTUAL_THREAD,

  /// A new platform thread, for remote methods only. The code may block. For long computations
  /// between calls, such as a training loop: a virtual thread would resume on another carrier after
  /// each answer, and its computations would delay other calls.
  PLATFORM_THREAD,

  /// The event loop if recent runs of the code were short, otherwise a virtual thread. For code
  /// that only computes and never waits, but whose duration is unknown, such as tensor operations.
  ADAPTIVE
}
