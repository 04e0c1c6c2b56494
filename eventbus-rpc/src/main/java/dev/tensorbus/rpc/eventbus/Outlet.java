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
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Puts frames on the event bus. Small ones that are sent to a worker before the event loop gets
/// to it leave together, in a bundle: of those that the loop sends while it goes through what has
/// come in, and those of other threads while it is busy or wakes up.
final class Outlet {
  private final Vertx vertx;
  private final Context loop;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);

  Outlet(Vertx vertx) {
    this.vertx = vertx;
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
  }

  /// Sends a frame, in turn with what this thread sent to the same worker before; fails if it is
  /// known not to have left. Any thread.
  Future<Void> send(Sender to, Frame frame) {
    try {
      return lines.computeIfAbsent(to.address(), Line::new).send(frame);
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

    Future<Void> send(Frame frame) {
      Load full = loadWithoutRoomFor(frame);
      if (full != null) {
        leave(full);
      }
      return frame.mayBeBundled() ? load(frame) : write(frame);
    }

    private synchronized @Nullable Load loadWithoutRoomFor(Frame frame) {
      return load == null || load.hasRoomFor(frame) ? null : load;
    }

    private synchronized Future<Void> load(Frame frame) {
      if (load == null) {
        Load next = new Load();
        turn().runOnContext(ignored -> leave(next));
        load = next;
      }
      return load.add(frame);
    }

    /// Whose next turn it leaves with.
    private Context turn() {
      return Context.isOnEventLoopThread() ? vertx.getOrCreateContext() : loop;
    }

    private void leave(Load full) {
      Future<Void> written = written(full);
      if (written != null) {
        written.onComplete(full.sent);
      }
    }

    /// Takes and writes it in one, so that nobody overtakes it; null if it has left.
    private synchronized @Nullable Future<Void> written(Load full) {
      if (!full.equals(load)) {
        return null;
      }
      load = null;
      return write(full.toFrame());
    }

    private Future<Void> write(Frame frame) {
      try {
        return producer.write(frame);
      } catch (RuntimeException e) { // Vertx has been closed meanwhile
        return Future.failedFuture(e);
      }
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
