// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.Map;

/// Functions that return the state of a worker. Gateways export them by default.
public final class WorkerState {
  private WorkerState() {}

  /// Returns the worker's internal counters by name; see [Rpc#debugInfo].
  @Remote
  @Exported("debug_info")
  static Map<String, Long> debugInfo() {
    return Rpc.current().debugInfo();
  }
}
