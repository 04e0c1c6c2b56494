// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.LaneNote;
import dev.tensorbus.rpc.wire.LaneNote.Step;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Context;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The ways that tensors take from and to one worker beside the event bus.
///
/// A worker that has much to send to another offers it a file of shared memory, once. If that
/// can map it, it is on the same host, and the values of tensors go through it from then on; if
/// not, they stay in the messages.
public final class Lanes implements AutoCloseable {
  private static final SecureRandom TOKENS = new SecureRandom();

  /// The part of the heap that the shipments of one sender may take while they arrive.
  private static final int HEAP_SHARE = 4;

  private final Sender self;
  private final int threshold;
  private final LaneFiles files;
  private final Predicate<Sender> isEligible;
  private final BiConsumer<Sender, Frame> outlet;
  private final Map<Sender, Offer> offers = new ConcurrentHashMap<>();
  private final Map<Sender, SlotReader> readers = new ConcurrentHashMap<>();

  private volatile boolean isClosed;

  /// @param threshold the bytes of tensors from which a message's go beside it, or
  ///     [RpcOptions#NO_LANE]
  /// @param isEligible whether another worker may have a lane to or from here
  /// @param outlet sends a frame to a worker
  public Lanes(
      Sender self, int threshold, Predicate<Sender> isEligible, BiConsumer<Sender, Frame> outlet) {
    this(self, threshold, LaneFiles.ofThisHost(), isEligible, outlet);
  }

  Lanes(
      Sender self,
      int threshold,
      LaneFiles files,
      Predicate<Sender> isEligible,
      BiConsumer<Sender, Frame> outlet) {
    this.self = self;
    this.threshold = threshold;
    this.files = files;
    this.isEligible = isEligible;
    this.outlet = outlet;
    if (threshold != RpcOptions.NO_LANE) {
      Thread.ofVirtual().name("tensorbus-lane-sweep").start(files::sweep);
    }
  }

  /// What a message is to hold, and what is to go beside it.
  public record Loaded(Payload payload, Shipment shipment) {}

  /// Takes the tensors out of a message for `to` if they are large and there is a lane.
  ///
  /// @param nanos how long somebody may want them
  public Loaded load(Payload payload, Sender to, long nanos) {
    long bytes = payload.tensorBytes();
    SlotWriter writer = bytes == 0 || bytes < threshold ? null : writerTo(to);
    if (writer == null) {
      return new Loaded(payload, Shipment.NONE);
    }
    Outgoing shipment = writer.add(Cargo.of(payload.tensors()), nanos);
    return new Loaded(payload.beside(shipment.ticket()), shipment);
  }

  private @Nullable SlotWriter writerTo(Sender to) {
    if (threshold == RpcOptions.NO_LANE || isClosed || !isEligible.test(to)) {
      return null;
    }
    Offer offer = offers.get(to);
    return (offer == null ? offers.computeIfAbsent(to, this::offer) : offer).writer();
  }

  private Offer offer(Sender to) {
    Offer offer = new Offer(to.info().name(), TOKENS.nextLong());
    offer.make(files, (token, path) -> say(to, token, Step.OFFER, path));
    return offer;
  }

  private void say(Sender to, long number, Step step, String text) {
    outlet.accept(to, new LaneNote(number, step, self, text).toFrame());
  }

  /// Gives a message the tensors that come beside it. Blocks until all are here, for `nanos` at
  /// most.
  ///
  /// @throws dev.tensorbus.rpc.RpcTimeoutException if they do not come in time
  /// @throws NoSuchWorkerException if the sender left before all were here
  /// @throws WireException if what the sender says of them cannot be
  public Payload unload(Payload payload, Sender from, long nanos) {
    if (!payload.isBeside()) {
      return payload;
    }
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("an event loop must not wait for tensors");
    }
    SlotReader reader = readers.get(from);
    try {
      if (reader == null) {
        throw new IllegalStateException("there is no lane");
      }
      return payload.arrived(reader.fetch(payload, nanos));
    } catch (IllegalStateException e) { // closed while it was read
      String name = from.info().name();
      throw new NoSuchWorkerException(
          name, name + " left before its tensors had arrived: " + e.getMessage(), true);
    }
  }

  /// Takes what another worker says. Does not block.
  public void take(LaneNote note) {
    Offer offer = offers.get(note.from());
    switch (note.step()) {
      case OFFER -> Thread.ofVirtual().name("tensorbus-lane-open").start(() -> consider(note));
      case ACCEPT -> {
        if (offer != null) {
          offer.accepted(note.number());
        }
      }
      case REFUSE -> {
        if (offer != null) {
          offer.refused(note.text());
        }
      }
      case WANT -> {
        if (offer != null && offer.settled() != null) {
          Objects.requireNonNull(offer.settled()).want(note.number());
        }
      }
    }
  }

  private void consider(LaneNote note) {
    Sender from = note.from();
    try {
      requireWelcome(from);
      Slots slots = files.open(note.text(), note.number());
      long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
      SlotReader reader = new SlotReader(slots, ticket -> say(from, ticket, Step.WANT, ""), most);
      if (readers.putIfAbsent(from, reader) != null) {
        reader.close();
        throw new IOException("there is a lane already");
      }
      if (isClosed || !isEligible.test(from)) {
        forget(from); // left meanwhile
      }
      say(from, note.number(), Step.ACCEPT, "");
    } catch (IOException | RuntimeException e) {
      say(from, note.number(), Step.REFUSE, String.valueOf(e.getMessage()));
    }
  }

  private void requireWelcome(Sender from) throws IOException {
    if (threshold == RpcOptions.NO_LANE) {
      throw new IOException("lanes are forbidden here");
    }
    if (isClosed || !isEligible.test(from)) {
      throw new IOException(from.info() + " may have no lane to " + self.info());
    }
  }

  /// Ends the lanes from and to a worker that is gone.
  public void forget(Sender gone) {
    Offer offer = offers.remove(gone);
    if (offer != null) {
      offer.close();
    }
    SlotReader reader = readers.remove(gone);
    if (reader != null) {
      reader.close();
    }
  }

  /// Ends what is overdue.
  public void tidy() {
    writers().forEach(SlotWriter::tidy);
  }

  private Iterable<SlotWriter> writers() {
    return () -> offers.values().stream().map(Offer::settled).filter(Objects::nonNull).iterator();
  }

  /// Adds what there is now.
  public void describe(Map<String, Long> info) {
    long shipments = 0;
    long open = 0;
    for (SlotWriter writer : writers()) {
      shipments += writer.tidy();
      open++;
    }
    info.put("lane.shared_memory", open);
    info.put("lane.bus", offers.values().stream().filter(Offer::isRefused).count());
    info.put("lane.shipments", shipments);
  }

  @Override
  public void close() {
    isClosed = true;
    offers.keySet().forEach(this::forget);
    readers.keySet().forEach(this::forget);
  }
}
