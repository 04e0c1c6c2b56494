// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// How the threads of a worker wait for messages. See [RpcOptions#withIdleStrategy].
public enum IdleMode {
  /// A thread spins for up to half a millisecond before it parks, if recent trials have shown that
  /// spinning shortens the wait. Between polls, a spinning thread yields its core to any other
  /// runnable thread.
  ADAPTIVE,

  /// A thread parks immediately, so that an idle core stays idle. Waking the thread takes 30 to 60
  /// us if its core also sleeps.
  ///
  /// The threads that compute kernels are an exception: they belong to the process and not to a
  /// worker, and spin for up to 100 us after a large kernel. They do not exist with `--threads 1`,
  /// or if the system property `tensorbus.threads` is 1.
  PARK
}
