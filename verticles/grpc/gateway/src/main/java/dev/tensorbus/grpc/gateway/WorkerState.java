// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.Map;

/// The state that every gateway shows of any worker.
public final class WorkerState {
  private WorkerState() {}

  /// Counts of the objects that the worker holds for others: [Rpc#debugInfo].
  @Remote
  @Exported("debug_info")
  static Map<String, Long> debugInfo() {
    return Rpc.current().debugInfo();
  }
}
