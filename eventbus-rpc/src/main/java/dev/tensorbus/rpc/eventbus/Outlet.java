// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.wire.Bundle;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.FrameCodec;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Puts frames on the event bus. Small ones that an event loop sends while it goes through what
/// has come in leave together, a bundle to each worker: Vert.x writes each message of an event
/// loop to its socket at once. What other threads send it gathers itself.
final class Outlet {
  private final Vertx vertx;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);

  Outlet(Vertx vertx) {
    this.vertx = vertx;
  }

  /// Sends a frame; fails if it is known not to have left. Any thread.
  Future<Void> send(Sender to, Frame frame) {
    try {
      Line line = lines.computeIfAbsent(to.address(), Line::new);
      return Context.isOnEventLoopThread() ? line.sendSoon(frame) : line.sendNow(frame);
    } catch (RuntimeException e) { // Vertx is closed, or about to be
      return Future.failedFuture(e);
    }
  }

  /// Forgets a worker that is gone.
  void forget(Sender gone) {
    lines.remove(gone.address());
  }

  /// What goes to one worker.
  private final class Line {
    private final MessageProducer<Frame> producer;
    private @Nullable Load load;

    Line(String address) {
      producer = vertx.eventBus().sender(address, options);
    }

    Future<Void> sendNow(Frame frame) {
      return producer.write(frame);
    }

    /// Sends it when the event loop has gone through what it has read; in turn with what the
    /// loop sent before.
    Future<Void> sendSoon(Frame frame) {
      Load full = loadWithoutRoomFor(frame);
      if (full != null) {
        leave(full);
      }
      return frame.mayBeBundled() ? load(frame) : sendNow(frame);
    }

    private synchronized @Nullable Load loadWithoutRoomFor(Frame frame) {
      return load == null || load.hasRoomFor(frame) ? null : load;
    }

    private synchronized Future<Void> load(Frame frame) {
      if (load == null) {
        Load next = new Load();
        vertx.runOnContext(ignored -> leave(next));
        load = next;
      }
      return load.add(frame);
    }

    private void leave(Load full) {
      if (!take(full)) {
        return;
      }
      try {
        sendNow(full.toFrame()).onComplete(full.sent);
      } catch (RuntimeException e) { // Vertx has been closed meanwhile
        full.sent.fail(e);
      }
    }

    /// Whether it has not left yet.
    private synchronized boolean take(Load full) {
      boolean isHere = full.equals(load);
      if (isHere) {
        load = null;
      }
      return isHere;
    }
  }

  /// What is to leave together.
  private static final class Load {
    private final List<Frame> frames = new ArrayList<>();
    private final Promise<Void> sent = Promise.promise();
    private int bytes;

    boolean hasRoomFor(Frame frame) {
      return frame.mayBeBundled() && bytes + frame.bytes().length <= Frame.MOST_SMALL_BYTES;
    }

    Future<Void> add(Frame frame) {
      frames.add(frame);
      bytes += frame.bytes().length;
      return sent.future();
    }

    Frame toFrame() {
      return frames.size() == 1 ? frames.getFirst() : new Bundle(frames).toFrame();
    }
  }
}
