// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.transport.bus.FrameCodec;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Bundle;
import dev.tensorbus.rpc.wire.message.Request;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Routes the messages of one worker through a [FaultyNetwork], as an interceptor of the worker's
/// event bus.
final class Tap implements Handler<DeliveryContext<Object>> {
  /// The header that marks a message to which faults have already been applied.
  private static final String COPY = "tensorbus.copy";

  private final FaultyNetwork network;
  private final String worker;
  private final Vertx vertx;

  /// By receiver: the messages held back until the next message to that receiver.
  private final Map<String, Queue<Runnable>> held = new ConcurrentHashMap<>();

  Tap(FaultyNetwork network, String worker, Vertx vertx) {
    this.network = network;
    this.worker = worker;
    this.vertx = vertx;
  }

  void open() {
    vertx.eventBus().addOutboundInterceptor(this);
  }

  void close() {
    vertx.eventBus().removeOutboundInterceptor(this);
  }

  @Override
  public void handle(DeliveryContext<Object> delivery) {
    if (network.isFaulty() && delivery.body() instanceof Frame frame && isBundle(frame)) {
      pretendSent(delivery);
      Bundle.from(frame).frames().forEach(each -> send(delivery, each, new DeliveryOptions()));
    } else {
      pass(delivery);
    }
  }

  /// Returns whether a frame is a bundle. The faults apply to each message in it separately.
  private static boolean isBundle(Frame frame) {
    return frame.kind() == Frame.Kind.BUNDLE;
  }

  private void pass(DeliveryContext<Object> delivery) {
    TrafficTotals traffic = network.isFaulty() ? traffic(delivery) : null;
    if (traffic == null) {
      delivery.next();
      return;
    }
    Fate fate = network.fate(traffic);
    Queue<Runnable> waiting =
        held.computeIfAbsent(traffic.to(), key -> new ConcurrentLinkedQueue<>());
    if (fate.isOrdinary()) {
      delivery.next();
      release(waiting);
    } else {
      pretendSent(delivery);
      suffer(delivery, fate, waiting);
    }
  }

  /// Returns a description of a message, or null if no fault may apply to it.
  private @Nullable TrafficTotals traffic(DeliveryContext<Object> delivery) {
    String to = BusAddresses.workerAt(delivery.message().address());
    boolean hasHadIts = delivery.message().headers().contains(COPY);
    if (to == null || to.equals(worker) || hasHadIts || !(delivery.body() instanceof Frame frame)) {
      return null;
    }
    Frame.Kind kind = frame.kind();
    String function =
        kind == Frame.Kind.REQUEST ? Request.Head.from(frame).function().toString() : "";
    return new TrafficTotals(worker, to, kind.name().toLowerCase(Locale.ROOT), function);
  }

  private static void release(Queue<Runnable> waiting) {
    for (Runnable one = waiting.poll(); one != null; one = waiting.poll()) {
      one.run();
    }
  }

  /// Completes the delivery, which in Vert.x is also the promise that the message has been written.
  /// A written message need not arrive.
  private static void pretendSent(DeliveryContext<Object> delivery) {
    if (delivery instanceof Promise<?> written) {
      written.tryComplete();
    }
  }

  private void suffer(DeliveryContext<Object> delivery, Fate fate, Queue<Runnable> waiting) {
    Runnable send = delivery::next;
    for (long millis : fate.departures()) {
      FutureTask<?> once = new FutureTask<>(send, null);
      if (fate.held() > 0) {
        waiting.add(once);
      }
      after(millis + fate.held(), once);
      send = () -> repeat(delivery); // a delivery of Vert.x can proceed only once
    }
  }

  private void after(long millis, Runnable action) {
    if (millis == 0) {
      action.run();
    } else {
      vertx.setTimer(millis, timer -> action.run());
    }
  }

  private void repeat(DeliveryContext<Object> delivery) {
    send(delivery, delivery.body(), new DeliveryOptions().addHeader(COPY, ""));
  }

  private void send(DeliveryContext<Object> delivery, Object body, DeliveryOptions options) {
    vertx
        .eventBus()
        .send(delivery.message().address(), body, options.setCodecName(FrameCodec.NAME));
  }
}
