// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.Map;

/// What every door shows of any worker.
public final class WorkerState {
  private WorkerState() {}

  /// What the worker holds for others: [Rpc#debugInfo].
  @Remote
  @Exported("debug_info")
  static Map<String, Long> debugInfo() {
    return Rpc.current().debugInfo();
  }
}
