// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.lane.Lanes;
import dev.tensorbus.rpc.pending.LoopLookout;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.wire.Bundle;
import dev.tensorbus.rpc.wire.Cancel;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.LaneNote;
import dev.tensorbus.rpc.wire.Release;
import dev.tensorbus.rpc.wire.Request;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes the messages of this worker and hands each to whom it is for; a request gets a virtual
/// thread of its own, unless it is brief.
final class Dispatcher {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final Vertx vertx;
  private final String address;
  private final Service service;
  private final ServedCalls served;
  private final Caller caller;
  private final Contexts contexts;
  private final Lanes lanes;
  private final ContextInternal loop;
  private final LoopLookout lookout;

  private @Nullable MessageConsumer<Frame> consumer;

  Dispatcher(
      Vertx vertx,
      String address,
      Service service,
      ServedCalls served,
      Caller caller,
      Contexts contexts,
      Lanes lanes) {
    this.vertx = vertx;
    this.address = address;
    this.service = service;
    this.served = served;
    this.caller = caller;
    this.contexts = contexts;
    this.lanes = lanes;
    // An event loop of our own choice: in a virtual-thread or worker verticle a plain consumer
    // would handle one message at a time, and a call back into its caller would never end.
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
    EventLoop turns = loop.nettyEventLoop();
    this.lookout = new LoopLookout(task -> inNextTurn(turns, task));
  }

  /// Something is due at once, so the loop does not go to sleep before it has run it.
  private static void inNextTurn(EventLoop loop, Runnable task) {
    ScheduledFuture<?> _ = loop.schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  /// Begins to listen; done when the cluster knows.
  Future<Void> start() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer = vertx.eventBus().consumer(address, this::receive);
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void receive(Message<Frame> message) {
    lookout.messageCame();
    dropIfWrong(() -> take(message.body()));
  }

  private void take(Frame frame) {
    switch (frame.kind()) {
      case REQUEST -> takeRequest(frame);
      case RESPONSE -> caller.answered(frame);
      case CANCEL -> {
        Cancel cancel = Cancel.from(frame);
        served.cancel(cancel.from(), cancel.call());
      }
      case RELEASE -> {
        List<Long> over = Release.from(frame).contexts();
        Thread.startVirtualThread(() -> contexts.releaseAll(over)); // may wait for a pass
      }
      case LANE -> lanes.take(LaneNote.from(frame));
      case BUNDLE -> Bundle.from(frame).frames().forEach(each -> dropIfWrong(() -> take(each)));
    }
  }

  private void takeRequest(Frame frame) {
    if (!frame.isSmall()) {
      serveAside(() -> service.serve(Request.from(frame)));
      return;
    }
    Request request = Request.from(frame);
    if (service.isBrief(request)) {
      service.serve(request);
    } else {
      serveAside(() -> service.serve(request));
    }
  }

  private void serveAside(Runnable serving) {
    Thread.ofVirtual().name("tensorbus-call").start(() -> dropIfWrong(serving));
  }

  /// Whoever sent what cannot be read cannot be answered either.
  private void dropIfWrong(Runnable taking) {
    try {
      taking.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, () -> address + " dropped a message: " + e.getMessage());
    }
  }
}
