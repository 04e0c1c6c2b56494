// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.slot.SlotReader;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.transport.lane.socket.SocketInbox;
import dev.tensorbus.rpc.transport.lane.socket.SocketLink;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.LaneNote.Step;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.nio.channels.ByteChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The lanes on which other workers send tensors to this worker.
final class IncomingLanes {
  private static final System.Logger LOG = System.getLogger(IncomingLanes.class.getName());

  /// The incoming transfers of one sender may take at most 1/HEAP_SHARE of the heap.
  private static final int HEAP_SHARE = 4;

  private final Sender self;
  private final Set<Lane> allowed;
  private final LaneFiles files;
  private final Sockets sockets;
  private final Peers peers;
  private final IdleStrategies strategies;
  private final Map<Sender, Incoming> lanes = new ConcurrentHashMap<>();

  private volatile boolean isClosed;

  IncomingLanes(
      Set<Lane> allowed, LaneFiles files, Sockets sockets, Peers peers, IdleStrategies strategies) {
    this.self = peers.self().sender();
    this.allowed = allowed;
    this.files = files;
    this.sockets = sockets;
    this.peers = peers;
    this.strategies = strategies;
  }

  /// @param token the token of the offer
  private record Incoming(long token, SlotReader reader) {}

  /// Returns the lane from a worker, or null if there is none.
  @Nullable SlotReader from(Sender peer) {
    Incoming lane = lanes.get(peer);
    return lane == null ? null : lane.reader();
  }

  /// Answers an offer. Blocks while a file or a port is opened.
  void consider(LaneNote offer) {
    Incoming lane = lanes.get(offer.from());
    if (lane != null && lane.token() == offer.number()) {
      return; // the offer arrived twice
    }
    try {
      requireWelcome(offer.from());
      if (!openFile(offer)) {
        openDoor(offer);
      }
    } catch (BindException e) {
      LOG.log(
          Level.WARNING,
          "large tensors from {0} use the event bus: {1}; add ports with --ports",
          offer.from().info().name(),
          e.getMessage());
      say(offer, Step.REFUSE, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      say(offer, Step.REFUSE, String.valueOf(e.getMessage()));
    }
  }

  private void requireWelcome(Sender from) throws IOException {
    if (allowed.isEmpty()) {
      throw new IOException("the receiver allows no lanes");
    }
    if (isClosed || !peers.isOnAnotherNode(from)) {
      throw new IOException("no lane is allowed from " + from.info() + " to " + self.info());
    }
  }

  /// Opens the offered file, if there is one and shared memory is allowed. Returns whether the file
  /// can be used.
  ///
  /// @throws IOException if it cannot be opened, and connections are not allowed either
  private boolean openFile(LaneNote offer) throws IOException {
    boolean isOffered = !offer.text().isEmpty();
    if (!isOffered || !allowed.contains(Lane.SHARED_MEMORY)) {
      return false;
    }
    try {
      begin(offer, files.open(offer.text(), offer.number()));
      return true;
    } catch (IOException e) {
      if (allowed.contains(Lane.SOCKET)) {
        return false; // probably, the file is on another host
      }
      throw e;
    }
  }

  private void openDoor(LaneNote offer) throws IOException {
    if (!allowed.contains(Lane.SOCKET)) {
      throw new IOException("the receiver allows no socket lanes");
    }
    String place = sockets.address();
    sockets.expect(offer.number(), connection -> letIn(offer, connection));
    say(offer, Step.CONNECT, place);
  }

  /// Reads the connection on a platform thread, since remote methods that compute may occupy the
  /// carriers of all virtual threads.
  private void letIn(LaneNote offer, ByteChannel connection) {
    String peer = offer.from().info().name();
    SocketLink link = new SocketLink(connection, peer);
    SocketInbox inbox = new SocketInbox(link, strategies);
    Incoming lane = begin(offer, inbox);
    Threads.system()
        .startPlatform(
            "tensorbus-lane-from-" + peer,
            () -> {
              link.read(inbox::read);
              end(offer.from(), lane);
            });
  }

  private Incoming begin(LaneNote offer, Slots.In slots) {
    Sender from = offer.from();
    LongConsumer want =
        transferId -> peers.send(from, new LaneNote(transferId, Step.WANT, self, "").toFrame());
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    Incoming lane = new Incoming(offer.number(), new SlotReader(slots, want, most, strategies));
    Incoming former = lanes.put(from, lane);
    if (former != null) {
      former.reader().close();
    }
    if (isClosed || !peers.isOnAnotherNode(from)) {
      end(from, lane); // the sender has left, or the lanes were closed
    }
    say(offer, Step.ACCEPT, "");
    return lane;
  }

  private void say(LaneNote offer, Step step, String text) {
    peers.send(offer.from(), new LaneNote(offer.number(), step, self, text).toFrame());
  }

  private void end(Sender from, Incoming lane) {
    lanes.remove(from, lane);
    lane.reader().close();
  }

  /// Closes the lane from a worker that is gone.
  void forget(Sender gone) {
    Incoming lane = lanes.get(gone);
    if (lane != null) {
      end(gone, lane);
    }
  }

  void close() {
    isClosed = true;
    lanes.keySet().forEach(this::forget);
  }
}
