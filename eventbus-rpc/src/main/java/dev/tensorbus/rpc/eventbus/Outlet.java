// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.FrameCodec;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageProducer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Puts frames on the event bus.
final class Outlet {
  private final Vertx vertx;
  private final Map<String, MessageProducer<Frame>> producers = new ConcurrentHashMap<>();
  private final DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);

  Outlet(Vertx vertx) {
    this.vertx = vertx;
  }

  /// Sends a frame; fails if it is known not to have left. Any thread.
  Future<Void> send(Sender to, Frame frame) {
    try {
      return producers
          .computeIfAbsent(to.address(), address -> vertx.eventBus().sender(address, options))
          .write(frame);
    } catch (RuntimeException e) { // Vertx is closed, or about to be
      return Future.failedFuture(e);
    }
  }

  /// Forgets a worker that is gone.
  void forget(Sender gone) {
    producers.remove(gone.address());
  }
}
