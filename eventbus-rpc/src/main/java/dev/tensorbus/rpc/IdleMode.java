// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// How the threads of a worker wait for messages. See [RpcOptions#withIdleStrategy].
public enum IdleMode {
  /// A thread spins for up to half a millisecond if spinning has brought answers sooner, and then
  /// parks. Spinning threads yield their core to others.
  ADAPTIVE,

  /// A thread parks at once. Waking it takes 30 to 60 us if its core sleeps too; an idle core stays
  /// idle.
  ///
  /// The threads of kernels are an exception: they belong to the process and not to a worker. They
  /// spin for up to 100 us after a large kernel. There are none with `--threads 1`, or with 1 as
  /// the system property `tensorbus.threads`.
  PARK
}
