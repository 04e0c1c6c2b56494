// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;

/// `Watch`: streams events.
///
/// @param events the source of the events
record WatchMethod(WatchEvents events) implements ServerCall.Method<WatchRequest, WatchResponse> {
  @Override
  public void serve(ServerCall<WatchRequest, WatchResponse> exchange) throws InterruptedException {
    try (WatchEvents.Watcher watcher = events.watch()) {
      exchange.sendHead(); // tells the caller that later events will be streamed
      for (var event = watcher.next(); event != null; event = watcher.next()) {
        exchange.send(event);
      }
    }
  }
}
