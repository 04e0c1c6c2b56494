// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Answers status requests from any node of the cluster. The answers are JSON. Status requests are
/// not calls: they do not count as running calls, and are handled on the event loop.
final class StatusAnswers {
  private static final System.Logger LOG = System.getLogger(StatusAnswers.class.getName());

  private final Vertx vertx;
  private final Sender self;
  private final ContextInternal loop;
  private final StatusSource source;

  private @Nullable MessageConsumer<Object> consumer;

  StatusAnswers(WorkerBase base, StatusSource source) {
    vertx = base.vertx;
    self = base.self();
    loop = base.loop;
    this.source = source;
  }

  /// Starts listening; the future completes when the cluster has registered the address.
  Future<Void> start() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer = vertx.eventBus().consumer(self.statusAddress(), this::answer);
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void answer(Message<Object> question) {
    try {
      question.reply(source.now().toJson().encode());
    } catch (RuntimeException | Error e) { // for example, memory ran out
      LOG.log(Level.WARNING, self.info() + " cannot report its status", e);
    }
  }
}
