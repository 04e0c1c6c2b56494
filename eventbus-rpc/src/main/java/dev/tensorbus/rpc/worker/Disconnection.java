// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.call.callee.IncomingCalls;
import dev.tensorbus.rpc.call.caller.Caller;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.transport.lane.Lanes;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// Ends the work of a worker without notifying the other workers.
///
/// @param stopListening stops the worker from receiving messages
record Disconnection(
    Membership membership,
    Supplier<Future<?>> stopListening,
    Clock clock,
    Caller caller,
    IncomingCalls served,
    Lanes lanes) {
  /// Removes this worker from the register, stops it from receiving messages, and ends all calls.
  Future<Void> run() {
    return membership
        .leave()
        .eventually(stopListening::get)
        .onComplete(
            done -> {
              clock.stop(); // first, so that no call can be left pending
              caller.close();
              served.cancelAll();
              lanes.close();
            });
  }
}
