// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.wire.Frame;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Receives the frames sent to one address of the event bus, on one event loop.
public final class FrameReceiver {
  private final Vertx vertx;
  private final String address;
  private final String here;
  private final ContextInternal loop;
  private final IdleStrategy idle;
  private final BiConsumer<Frame, String> handler;

  private @Nullable MessageConsumer<Received> consumer;

  /// Creates a receiver that does not listen yet.
  ///
  /// @param here the cluster node of this Vertx
  /// @param loop the event loop on which frames are handled
  /// @param handler handles a frame and the cluster node that sent it
  public FrameReceiver(
      Vertx vertx,
      String address,
      String here,
      ContextInternal loop,
      IdleStrategies strategies,
      BiConsumer<Frame, String> handler) {
    this.vertx = vertx;
    this.address = address;
    this.here = here;
    this.loop = loop;
    this.handler = handler;
    EventLoop turns = loop.nettyEventLoop();
    this.idle = strategies.forEventLoop(task -> inNextTurn(turns, task));
  }

  /// Runs a task in the loop's next turn: a task that is due at once keeps the loop from sleeping
  /// before.
  private static void inNextTurn(EventLoop loop, Runnable task) {
    ScheduledFuture<?> _ = loop.schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  /// Starts listening; the future completes when the cluster has registered the address.
  public Future<Void> start() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer = vertx.eventBus().consumer(address, this::receive);
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  /// Stops listening.
  public Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void receive(Message<Received> message) {
    idle.reset();
    Received received = message.body();
    String node = received.node();
    handler.accept(received.frame(), node == null ? here : node);
  }
}
