// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.rpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;

/// Remote methods whose own cost is negligible.
public final class Callee {
  private Callee() {}

  /// Does nothing.
  @Remote
  public static void noop() {}

  @Remote(execution = Execution.EVENT_LOOP)
  static void eventLoopNoop() {}

  @Remote
  static Tensor echo(Tensor value) {
    return value;
  }
}
