// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.exchange.Caller;
import dev.tensorbus.rpc.lane.Lanes;
import dev.tensorbus.rpc.membership.Membership;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.time.Clock;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// Ends the work of a worker, without a word to the others.
///
/// @param stopListening has it take no more messages
record Disconnection(
    Membership membership,
    Supplier<Future<?>> stopListening,
    Clock clock,
    Caller caller,
    ServedCalls served,
    Lanes lanes) {
  /// Gives this worker's place in the world up, then ends all calls.
  Future<Void> run() {
    return membership
        .leave()
        .eventually(stopListening::get)
        .onComplete(
            done -> {
              clock.stop(); // first: then no call comes that would not be failed
              caller.close();
              served.cancelAll();
              lanes.close();
            });
  }
}
