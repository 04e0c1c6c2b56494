// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// How the threads of a worker wait. See [RpcOptions#withIdleStrategy].
public enum IdleMode {
  /// A thread spins for up to half a millisecond where that has brought answers sooner, and then
  /// parks. Spinning threads let others have the core.
  ADAPTIVE,

  /// A thread parks at once. To wake it takes 30 to 60 us where its core sleeps too; an idle core
  /// stays idle.
  PARK
}
