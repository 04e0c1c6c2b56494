// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.slot.SlotWriter;
import dev.tensorbus.rpc.transport.lane.socket.SocketLink;
import dev.tensorbus.rpc.transport.lane.socket.SocketOutbox;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.LaneNote.Step;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The lanes on which this worker sends tensors, at most one to each peer.
final class OutgoingLanes {
  private static final SecureRandom TOKENS = new SecureRandom();

  /// How long the event bus is used after a connection to a peer could not be opened. Long, since
  /// senders wait for the answer to the next offer, and a firewall may never let it through.
  private static final long RETRY_MINUTES = 10;

  private final Sender self;
  private final Set<Lane> allowed;
  private final LaneFiles files;
  private final Sockets sockets;
  private final Peers peers;
  private final IdleStrategies strategies;
  private final Map<Sender, LaneHandshake> handshakes = new ConcurrentHashMap<>();

  /// Never reset, so that a reopened lane cannot reuse a transfer id.
  private final AtomicLong transferIds = new AtomicLong();

  OutgoingLanes(
      Set<Lane> allowed, LaneFiles files, Sockets sockets, Peers peers, IdleStrategies strategies) {
    this.self = peers.self().sender();
    this.allowed = allowed;
    this.files = files;
    this.sockets = sockets;
    this.peers = peers;
    this.strategies = strategies;
  }

  /// Returns the lane to a worker, or null if there is none. The first call offers a lane to the
  /// worker. Until the worker has answered, each call waits briefly for the answer.
  ///
  /// @param bytes the size of the payload
  /// @param nanos the time left for the payload to arrive
  @Nullable SlotWriter to(Sender peer, long bytes, long nanos) {
    LaneHandshake handshake = handshakes.get(peer);
    return (handshake == null ? begin(peer) : handshake).writer(bytes, nanos);
  }

  private LaneHandshake begin(Sender to) {
    LaneHandshake made =
        new LaneHandshake(
            to.info().name(), TOKENS.nextLong(), transferIds::incrementAndGet, strategies);
    // Stored before the offer is sent: the answer may arrive at once.
    LaneHandshake former = handshakes.putIfAbsent(to, made);
    if (former != null) {
      return former;
    }
    Threads.system().start("tensorbus-lane-handshake", () -> make(made, to));
    return made;
  }

  private void make(LaneHandshake handshake, Sender to) {
    String path = allowed.contains(Lane.SHARED_MEMORY) ? handshake.makeFile(files) : "";
    if (path.isEmpty() && !allowed.contains(Lane.SOCKET)) {
      handshake.refused("a shared memory file cannot be created");
    } else {
      LaneNote note = new LaneNote(handshake.token(), Step.OFFER, self, path);
      peers.send(to, note.toFrame());
    }
  }

  /// Handles a note from another worker about the lane to that worker. Does not block.
  void take(LaneNote note) {
    LaneHandshake handshake = handshakes.get(note.from());
    if (handshake == null) {
      return;
    }
    if (note.step() == Step.WANT) {
      SlotWriter writer = handshake.settled();
      if (writer != null) {
        writer.want(note.number());
      }
    } else if (note.number() == handshake.token()) {
      answered(handshake, note);
    }
  }

  private void answered(LaneHandshake handshake, LaneNote note) {
    switch (note.step()) {
      case ACCEPT -> handshake.accepted();
      case CONNECT -> handshake.connect(wanted -> connect(wanted, note));
      default -> handshake.refused(note.text());
    }
  }

  private void connect(LaneHandshake handshake, LaneNote note) {
    if (!allowed.contains(Lane.SOCKET)) {
      handshake.refused("the sender allows no socket lanes");
      return;
    }
    Threads.system()
        .startPlatform(
            "tensorbus-lane-credit",
            () -> {
              try {
                use(sockets.connect(note.text()), handshake, note.from());
              } catch (IOException | RuntimeException e) { // also if the text is not an address
                handshake.refused("cannot connect to " + note.text() + ": " + e.getMessage());
                offerAgain(handshake, note.from());
              }
            });
  }

  /// Lets a large tensor lead to a new offer after some time: strangers may have taken all places
  /// of the peer's listener.
  private void offerAgain(LaneHandshake handshake, Sender to) {
    CompletableFuture.delayedExecutor(RETRY_MINUTES, TimeUnit.MINUTES)
        .execute(() -> handshakes.remove(to, handshake));
  }

  /// Blocks until the connection ends.
  private void use(ByteChannel connection, LaneHandshake handshake, Sender to) {
    SocketLink link = new SocketLink(connection, to.info().name());
    SocketOutbox outbox = new SocketOutbox(link);
    if (!handshake.connected(outbox)) {
      link.close();
      return;
    }
    link.add(Sockets.hello(handshake.token()));
    link.flush();
    link.read(outbox::read);
    handshakes.remove(to, handshake); // the next large tensor leads to a new offer
    handshake.close();
  }

  /// Closes the lane to a worker that is gone.
  void forget(Sender gone) {
    LaneHandshake handshake = handshakes.remove(gone);
    if (handshake != null) {
      handshake.close();
    }
  }

  void tidy() {
    writers().forEach(SlotWriter::tidy);
  }

  private Stream<SlotWriter> writers() {
    return handshakes.values().stream()
        .flatMap(handshake -> Stream.ofNullable(handshake.settled()));
  }

  /// Adds the current counts of lanes and transfers.
  void describe(Map<String, Long> info) {
    info.put("lane.shared_memory", count(Lane.SHARED_MEMORY));
    info.put("lane.socket", count(Lane.SOCKET));
    info.put("lane.bus", handshakes.values().stream().filter(LaneHandshake::isRefused).count());
    info.put("lane.transfers", writers().mapToLong(SlotWriter::underWay).sum());
  }

  /// Returns the route to a worker, or null for the event bus.
  @Nullable Lane lane(Sender peer) {
    LaneHandshake handshake = handshakes.get(peer);
    return Arrays.stream(Lane.values())
        .filter(way -> handshake != null && handshake.leadsTo(way))
        .findFirst()
        .orElse(null);
  }

  private long count(Lane way) {
    return handshakes.values().stream().filter(handshake -> handshake.leadsTo(way)).count();
  }

  void close() {
    handshakes.keySet().forEach(this::forget);
  }
}
