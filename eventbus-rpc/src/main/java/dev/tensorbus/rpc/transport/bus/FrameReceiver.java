// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.transport.Transport.Endpoint;
import dev.tensorbus.rpc.wire.Frame;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Receives the frames sent to one address of the event bus, on one event loop.
final class FrameReceiver {
  private final Endpoint worker;
  private final ContextInternal loop;
  private final IdleStrategy idle;

  private @Nullable MessageConsumer<Received> consumer;

  /// Creates a receiver that does not listen yet.
  FrameReceiver(Endpoint worker) {
    this.worker = worker;
    this.loop = worker.loop();
    EventLoop turns = loop.nettyEventLoop();
    this.idle = worker.strategies().forEventLoop(task -> inNextTurn(turns, task));
  }

  /// Runs a task in the loop's next iteration. Since the task is already due, the loop does not
  /// sleep first.
  private static void inNextTurn(EventLoop loop, Runnable task) {
    ScheduledFuture<?> _ = loop.schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  /// Starts listening; the future completes when the cluster has registered the address.
  Future<Void> start(BiConsumer<Frame, String> handler) {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer =
              loop.owner()
                  .eventBus()
                  .consumer(worker.self().address(), message -> receive(message, handler));
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void receive(Message<Received> message, BiConsumer<Frame, String> handler) {
    idle.reset();
    Received received = message.body();
    String node = received.node();
    handler.accept(received.frame(), node == null ? worker.node() : node);
  }
}
