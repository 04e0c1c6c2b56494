// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Bundle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.tracing.TracingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Sends and receives frames on the event bus. Small frames to the same worker are collected in a
/// bundle. It is sent when a frame does not fit or, at the latest, by the next task of an event
/// loop: the one that added the first frame, or the transport's own if another thread added it.
public final class BusTransport implements Transport {
  private final Vertx vertx;
  private final Context loop;
  private final Predicate<Sender> isGone;
  private final FrameReceiver receiver;
  private final Map<Sender, PeerQueue> queues = new ConcurrentHashMap<>();
  private final LongAdder sentBytes = new LongAdder();

  /// Calls have their own spans; a message, which may carry several calls, has none.
  private final DeliveryOptions options =
      new DeliveryOptions().setCodecName(FrameCodec.NAME).setTracingPolicy(TracingPolicy.IGNORE);

  /// Creates the transport of a worker.
  public BusTransport(Endpoint worker) {
    VertxInternal owner = worker.loop().owner();
    this.vertx = owner;
    this.isGone = worker.isGone();
    this.receiver = new FrameReceiver(worker);
    this.loop = owner.createEventLoopContext();
  }

  @Override
  public Future<Void> start(BiConsumer<Frame, String> handler) {
    return receiver.start(handler);
  }

  @Override
  public Future<Void> stop() {
    return receiver.stop();
  }

  @Override
  public Future<Void> send(Sender to, Frame frame) {
    try {
      return queue(to).send(frame);
    } catch (RuntimeException e) { // Vertx is closed, or about to be
      return Future.failedFuture(e);
    }
  }

  /// Returns the queue of frames to a worker. A worker that has left may still wait for a last
  /// message, but its queue is not stored, since nobody would remove it.
  private PeerQueue queue(Sender to) {
    PeerQueue kept =
        queues.computeIfAbsent(to, key -> isGone.test(key) ? null : new PeerQueue(key.address()));
    return kept == null ? new PeerQueue(to.address()) : kept;
  }

  @Override
  public void forget(Sender gone) {
    queues.remove(gone);
  }

  @Override
  public long sentBytes() {
    return sentBytes.sum();
  }

  @Override
  public long sentBytes(Sender to) {
    PeerQueue queue = queues.get(to);
    return queue == null ? 0 : queue.sent.sum();
  }

  int size() {
    return queues.size();
  }

  /// The queue of frames to one worker.
  private final class PeerQueue {
    private final MessageProducer<Frame> producer;
    private final LongAdder sent = new LongAdder();
    private @Nullable Batch batch;

    PeerQueue(String address) {
      producer = vertx.eventBus().sender(address, options);
    }

    Future<Void> send(Frame frame) {
      Batch full = batchWithoutRoomFor(frame);
      if (full != null) {
        leave(full);
      }
      return frame.mayBeBundled() ? enqueue(frame) : write(frame);
    }

    private synchronized @Nullable Batch batchWithoutRoomFor(Frame frame) {
      return batch == null || batch.hasRoomFor(frame) ? null : batch;
    }

    private synchronized Future<Void> enqueue(Frame frame) {
      if (batch == null) {
        Batch next = new Batch();
        turn().runOnContext(ignored -> leave(next));
        batch = next;
      }
      return batch.add(frame);
    }

    /// Returns the event loop that sends the batch in its next task.
    private Context turn() {
      return ExecutionPolicy.isEventLoop() ? vertx.getOrCreateContext() : loop;
    }

    private void leave(Batch full) {
      Future<Void> written = written(full);
      if (written != null) {
        written.onComplete(full.sent);
      }
    }

    /// Removes and writes the batch under one lock, so that no later batch overtakes it. Returns
    /// null if the batch was already sent.
    private synchronized @Nullable Future<Void> written(Batch full) {
      if (!full.equals(batch)) {
        return null;
      }
      batch = null;
      return write(full.toFrame());
    }

    private Future<Void> write(Frame frame) {
      try {
        sentBytes.add(frame.bytes().length);
        sent.add(frame.bytes().length);
        return producer.write(frame);
      } catch (RuntimeException e) { // Vertx has been closed
        return Future.failedFuture(e);
      }
    }
  }

  /// Frames that are sent together.
  private static final class Batch {
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
