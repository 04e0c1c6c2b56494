// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Which thread runs a remote method or continues a call. The names are those of Vert.x's
/// `ThreadingModel` and of the JDK. See [Remote#execution] and [CallOptions#continuingOn].
public enum Execution {
  /// The event loop that received the message. For code that takes microseconds and never waits,
  /// since the loop handles no other message meanwhile. Blocking on it, as `rpcSync` does, fails
  /// with an [IllegalStateException]; `rpcAsync` is allowed.
  ///
  /// The code runs on a virtual thread nevertheless if it must first wait for something or copy a
  /// lot of data.
  EVENT_LOOP,

  /// A new virtual thread. The code may block, and it may call other workers.
  VIRTUAL_THREAD,

  /// A new platform thread, for remote methods only. The code may block. For long computations
  /// between calls, such as a training loop: a virtual thread would resume on another carrier after
  /// each answer, and its computing would delay other calls.
  PLATFORM_THREAD,

  /// The event loop while recent runs of the code were short, and a virtual thread otherwise. For
  /// code that only computes and never waits, but whose duration is unknown, such as the operations
  /// of tensors.
  ADAPTIVE
}
