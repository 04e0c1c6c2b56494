// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.wire.LaneNote;
import dev.tensorbus.rpc.wire.LaneNote.Step;
import dev.tensorbus.rpc.wire.Sender;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The lanes that this worker sends on, one to each worker that it has offered one.
final class OutgoingLanes {
  private static final SecureRandom TOKENS = new SecureRandom();

  private final Sender self;
  private final Set<Lane> allowed;
  private final LaneFiles files;
  private final Peers peers;
  private final Map<Sender, Offer> offers = new ConcurrentHashMap<>();

  /// Never starts again, so that no shipment is taken for one of a lane that was before.
  private final AtomicLong tickets = new AtomicLong();

  OutgoingLanes(Sender self, Set<Lane> allowed, LaneFiles files, Peers peers) {
    this.self = self;
    this.allowed = allowed;
    this.files = files;
    this.peers = peers;
  }

  /// The way to a worker, or null if there is none. The first time that it is asked for, offers
  /// it one and waits for the answer a moment.
  ///
  /// @param bytes how much is to be sent, which somebody may want for `nanos`
  @Nullable SlotWriter to(Sender peer, long bytes, long nanos) {
    Offer offer = offers.get(peer);
    return (offer == null ? offer(peer) : offer).writer(bytes, nanos);
  }

  private Offer offer(Sender to) {
    Offer made = new Offer(to.info().name(), TOKENS.nextLong(), tickets::incrementAndGet);
    Offer former = offers.putIfAbsent(to, made); // before it is told: the answer may come at once
    if (former != null) {
      return former;
    }
    Thread.ofVirtual().name("tensorbus-lane-offer").start(() -> make(made, to));
    return made;
  }

  private void make(Offer offer, Sender to) {
    String path = allowed.contains(Lane.SHARED_MEMORY) ? offer.makeFile(files) : "";
    if (path.isEmpty() && !allowed.contains(Lane.SOCKET)) {
      offer.refused("there is no room for a file");
    } else {
      LaneNote note = new LaneNote(offer.token(), Step.OFFER, self, path);
      peers.send(to, note.toFrame());
    }
  }

  /// Takes what another worker says of the lane to it. Does not block.
  void take(LaneNote note) {
    Offer offer = offers.get(note.from());
    if (offer == null) {
      return;
    }
    if (note.step() == Step.WANT) {
      SlotWriter writer = offer.settled();
      if (writer != null) {
        writer.want(note.number());
      }
    } else if (note.number() == offer.token()) {
      answered(offer, note);
    }
  }

  private void answered(Offer offer, LaneNote note) {
    switch (note.step()) {
      case ACCEPT -> offer.accepted();
      case CONNECT -> offer.connect(wanted -> connect(wanted, note));
      default -> offer.refused(note.text());
    }
  }

  private void connect(Offer offer, LaneNote note) {
    if (!allowed.contains(Lane.SOCKET)) {
      offer.refused("connections are forbidden here");
      return;
    }
    Thread.ofPlatform()
        .daemon()
        .name("tensorbus-lane-credit")
        .start(
            () -> {
              try {
                use(Sockets.connect(note.text()), offer, note.from());
              } catch (IOException | RuntimeException e) { // what is no address
                offer.refused("cannot connect to " + note.text() + ": " + e.getMessage());
              }
            });
  }

  /// Blocks until the connection ends.
  private void use(SocketChannel channel, Offer offer, Sender to) {
    SocketLink link = new SocketLink(channel, to.info().name());
    SocketOutbox outbox = new SocketOutbox(link);
    if (!offer.connected(outbox)) {
      link.close();
      return;
    }
    link.add(Sockets.hello(offer.token()));
    link.flush();
    link.read(outbox::read);
    offers.remove(to, offer); // the next message tries anew
    offer.close();
  }

  /// Ends the lane to a worker that is gone.
  void forget(Sender gone) {
    Offer offer = offers.remove(gone);
    if (offer != null) {
      offer.close();
    }
  }

  /// Ends what is overdue; how many shipments are under way.
  int tidy() {
    int shipments = 0;
    for (Offer offer : offers.values()) {
      SlotWriter writer = offer.settled();
      shipments += writer == null ? 0 : writer.tidy();
    }
    return shipments;
  }

  /// Adds what there is now.
  void describe(Map<String, Long> info) {
    info.put("lane.shared_memory", count(Lane.SHARED_MEMORY));
    info.put("lane.socket", count(Lane.SOCKET));
    info.put("lane.bus", offers.values().stream().filter(Offer::isRefused).count());
    info.put("lane.shipments", (long) tidy());
  }

  private long count(Lane way) {
    return offers.values().stream().filter(offer -> offer.leadsTo(way)).count();
  }

  void close() {
    offers.keySet().forEach(this::forget);
  }
}
