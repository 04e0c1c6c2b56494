// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.transport.bus.Received;
import dev.tensorbus.rpc.transport.lane.Lanes;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Bundle;
import dev.tensorbus.rpc.wire.message.Cancel;
import dev.tensorbus.rpc.wire.message.Heartbeat;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.Probe;
import dev.tensorbus.rpc.wire.message.Release;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.world.membership.HeartbeatMonitor;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes the messages of this worker and hands each to whom it is for, if it comes from where its
/// sender lives.
public final class Dispatcher {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final Vertx vertx;
  private final String address;
  private final CallExecutor executor;
  private final ServedCalls served;
  private final Exchange exchange;
  private final Membership membership;
  private final String here;
  private final Contexts contexts;
  private final Lanes lanes;
  private final HeartbeatMonitor heartbeats;
  private final ContextInternal loop;
  private final IdleStrategy idle;

  private @Nullable MessageConsumer<Received> consumer;

  public Dispatcher(
      Vertx vertx,
      Membership membership,
      CallExecutor executor,
      ServedCalls served,
      Exchange exchange,
      Contexts contexts,
      Lanes lanes,
      HeartbeatMonitor heartbeats,
      ContextInternal loop,
      IdleStrategies strategies) {
    this.vertx = vertx;
    this.address = membership.self().sender().address();
    this.here = membership.self().node();
    this.membership = membership;
    this.exchange = exchange;
    this.executor = executor;
    this.served = served;
    this.contexts = contexts;
    this.lanes = lanes;
    this.heartbeats = heartbeats;
    this.loop = loop;
    EventLoop turns = loop.nettyEventLoop();
    this.idle = strategies.forEventLoop(task -> inNextTurn(turns, task));
  }

  /// Something is due at once, so the loop does not go to sleep before it has run it.
  private static void inNextTurn(EventLoop loop, Runnable task) {
    ScheduledFuture<?> _ = loop.schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  /// Begins to listen; done when the cluster knows.
  public Future<Void> start() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer = vertx.eventBus().consumer(address, this::receive);
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  public Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void receive(Message<Received> message) {
    idle.reset();
    dropIfWrong(
        () -> {
          Received received = message.body();
          String node = received.node();
          take(received.frame(), node == null ? here : node);
        });
  }

  private void take(Frame frame, String node) {
    switch (frame.kind()) {
      case REQUEST -> takeRequest(frame, node);
      case RESPONSE -> {
        Sender from = exchange.answered(frame, node);
        if (from != null) {
          heartbeats.heard(from);
        }
      }
      case CANCEL -> {
        Cancel cancel = Cancel.from(frame);
        takeFrom(cancel.from(), node, () -> served.cancel(cancel.from(), cancel.call()));
      }
      case RELEASE -> {
        Release release = Release.from(frame);
        takeFrom(release.from(), node, () -> takeRelease(release));
      }
      case LANE -> {
        LaneNote note = LaneNote.from(frame);
        takeFrom(note.from(), node, () -> lanes.take(note));
      }
      case HEARTBEAT -> {
        Heartbeat heartbeat = Heartbeat.from(frame);
        takeFrom(heartbeat.from(), node, () -> heartbeats.take(heartbeat));
      }
      case PROBE -> {
        Probe probe = Probe.from(frame);
        takeFrom(probe.from(), node, () -> executor.take(probe));
      }
      case BUNDLE ->
          Bundle.from(frame).frames().forEach(each -> dropIfWrong(() -> take(each, node)));
    }
  }

  /// It may have to wait for a pass.
  private void takeRelease(Release release) {
    VirtualThreads.start(
        "tensorbus-release", () -> contexts.releasedBy(release.from().info(), release.contexts()));
  }

  private void takeRequest(Frame frame, String node) {
    Request request = frame.isSmall() ? Request.from(frame) : null;
    Request.Head head = request == null ? Request.Head.from(frame) : request.head();
    takeFrom(head.from(), node, () -> executor.take(frame, head, request));
  }

  /// Takes a message if it comes from where its sender lives. That may have joined before this
  /// worker has heard of it: then it is in the register.
  ///
  /// @throws WireException if the sender lives elsewhere
  private void takeFrom(Sender from, String node, Runnable taking) {
    Member known = membership.member(from.info().name());
    if (known != null && known.sender().equals(from)) {
      requireNode(known.node().equals(node), from);
      heartbeats.heard(from);
      taking.run();
    } else if (membership.isGone(from)) { // it is told so, wherever it is now
      taking.run();
    } else {
      membership
          .isRegistered(from, node)
          .onComplete(
              found ->
                  loop.runOnContext(
                      ignored ->
                          dropIfWrong(
                              () -> {
                                requireNode(found.succeeded() && found.result(), from);
                                taking.run();
                              })));
    }
  }

  private static void requireNode(boolean isRight, Sender from) {
    if (!isRight) {
      throw new WireException("message of " + from.info() + " from where it does not live", null);
    }
  }

  /// The sender of a message that cannot be read cannot be answered either.
  private void dropIfWrong(Runnable taking) {
    try {
      taking.run();
    } catch (RuntimeException | Error e) { // memory ran out
      LOG.log(Level.WARNING, () -> address + " dropped a message: " + e.getMessage());
    }
  }
}
