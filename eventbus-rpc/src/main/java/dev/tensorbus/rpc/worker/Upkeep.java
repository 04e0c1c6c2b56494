// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.call.callee.IncomingCalls;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.transport.lane.Lanes;
import dev.tensorbus.rpc.world.membership.HeartbeatMonitor;
import java.time.Duration;

/// The periodic work of a worker, which is independent of messages.
record Upkeep(
    HeartbeatMonitor heartbeats,
    IncomingCalls served,
    References references,
    Contexts contexts,
    Lanes lanes)
    implements Runnable {
  /// The interval between two runs.
  static final Duration PERIOD = Duration.ofMillis(100);

  @Override
  public void run() {
    heartbeats.tick();
    served.cancelOverdue();
    references.settleDepartures();
    contexts.upkeep();
    lanes.tidy();
  }
}
