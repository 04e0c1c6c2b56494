// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.Map;

/// The worker state that every gateway exposes.
public final class WorkerState {
  private WorkerState() {}

  /// Returns counts of the objects that the worker holds for others; see [Rpc#debugInfo].
  @Remote
  @Exported("debug_info")
  static Map<String, Long> debugInfo() {
    return Rpc.current().debugInfo();
  }
}
