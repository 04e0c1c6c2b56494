// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.call.callee.IncomingCalls;
import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.transport.lane.Lanes;
import java.util.Map;
import java.util.TreeMap;

/// Counts a worker's calls, the objects that it holds for other workers
/// ([dev.tensorbus.rpc.Rpc#debugInfo]), and the bytes that it has sent to them.
record DebugInfo(
    PendingCalls pending,
    IncomingCalls served,
    Contexts contexts,
    References references,
    Lanes lanes,
    Transport transport) {
  Map<String, Long> now() {
    Map<String, Long> info = new TreeMap<>();
    info.put("rpc.pending_calls", (long) pending.size());
    info.put("rpc.served_calls", (long) served.running());
    info.put("rpc.waiting_calls", (long) served.waiting());
    contexts.describe(info);
    references.describe(info);
    lanes.describe(info);
    return info;
  }

  Map<String, Long> sentBytes() {
    return Map.of("bus", transport.sentBytes(), "lane", lanes.sentBytes());
  }
}
