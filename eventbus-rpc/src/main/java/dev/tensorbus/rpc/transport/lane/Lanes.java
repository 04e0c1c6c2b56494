// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.TensorTransfers;
import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Outgoing;
import dev.tensorbus.rpc.transport.lane.slot.SlotReader;
import dev.tensorbus.rpc.transport.lane.slot.SlotWriter;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.LaneNote.Step;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The lanes of a worker: the routes by which tensors to and from its peers bypass the event bus.
///
/// A worker that has a large tensor for a peer first offers the peer a file in shared memory. If
/// the peer can map the file, both are on the same host, and large tensors go through the file.
/// Otherwise they go through a dedicated connection or, if that is impossible too, in messages on
/// the event bus.
public final class Lanes implements TensorTransfers, AutoCloseable {
  private static final int LOOKS = 100;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final int threshold;
  private final boolean areAllowed;
  private final Peers peers;
  private final Sockets sockets;
  private final OutgoingLanes outgoing;
  private final IncomingLanes incoming;
  private final LongAdder sentBytes = new LongAdder();
  private final Map<Sender, LongAdder> sentTo = new ConcurrentHashMap<>();

  private volatile boolean isClosed;

  /// Creates an empty set of lanes for a worker with these options.
  ///
  /// @param host returns the address at which other workers reach this host
  /// @param certificates encrypts connections, or null
  public Lanes(
      RpcOptions options,
      Peers peers,
      Supplier<String> host,
      @Nullable Certificates certificates,
      IdleStrategies strategies) {
    this(options, LaneFiles.ofThisHost(), peers, host, certificates, strategies);
  }

  Lanes(
      RpcOptions options,
      LaneFiles files,
      Peers peers,
      Supplier<String> host,
      @Nullable Certificates certificates,
      IdleStrategies strategies) {
    threshold = options.laneThreshold();
    areAllowed = !options.lanes().isEmpty();
    this.peers = peers;
    sockets = new Sockets(host, options.ports(), certificates, strategies);
    outgoing = new OutgoingLanes(options.lanes(), files, sockets, peers, strategies);
    incoming = new IncomingLanes(options.lanes(), files, sockets, peers, strategies);
    if (options.lanes().contains(Lane.SHARED_MEMORY)) {
      Threads.system().start("tensorbus-lane-sweep", files::sweep);
    }
  }

  @Override
  public Loaded load(Payload payload, Sender to, long nanos) {
    long bytes = payload.tensorBytes();
    boolean isLarge = bytes > 0 && bytes >= threshold;
    if (isLarge && peers.isOnThisNode(to)) {
      return new Loaded(payload.handedOver(), Transfer.NONE);
    }
    boolean mayHaveLane = areAllowed && !isClosed && peers.isOnAnotherNode(to);
    SlotWriter writer = isLarge && mayHaveLane ? outgoing.to(to, bytes, nanos) : null;
    if (writer == null) {
      return new Loaded(payload, Transfer.NONE);
    }
    Outgoing transfer = writer.add(GatherBuffer.of(payload.tensors()), nanos);
    sentBytes.add(bytes);
    sentTo.computeIfAbsent(to, any -> new LongAdder()).add(bytes);
    return new Loaded(payload.beside(transfer.transferId()), transfer);
  }

  @Override
  public Payload unload(Payload payload, Sender from, long nanos) {
    if (!payload.isBeside()) {
      return payload;
    }
    if (ExecutionPolicy.isEventLoop()) {
      throw new IllegalStateException("an event loop must not wait for tensors");
    }
    SlotReader reader = incoming.from(from);
    try {
      if (reader == null) {
        throw new IllegalStateException("no lane is open");
      }
      return payload.arrived(reader.fetch(payload, nanos));
    } catch (IllegalStateException e) { // for example, the lane was closed while it was read
      throw lost(from, e);
    }
  }

  private RuntimeException lost(Sender from, IllegalStateException cause) {
    String name = from.info().name();
    return isThere(from)
        ? new WireException(
            "the lane from "
                + name
                + " was lost before its tensors had arrived: "
                + cause.getMessage(),
            cause,
            true)
        : new NoSuchWorkerException(
            name, name + " left before its tensors had arrived: " + cause.getMessage(), true);
  }

  /// Returns whether a peer is still in the world. Blocks for up to a second, since the connections
  /// of a dying process are lost slightly before the cluster notices its death.
  private boolean isThere(Sender peer) {
    for (int look = 0; look < LOOKS && peers.isOnAnotherNode(peer); look++) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return peers.isOnAnotherNode(peer);
  }

  /// Handles a note from another worker. Does not block.
  public void take(LaneNote note) {
    if (note.step() == Step.OFFER) {
      Threads.system().start("tensorbus-lane-open", () -> incoming.consider(note));
    } else {
      outgoing.take(note);
    }
  }

  /// Closes the lanes to and from a worker that is gone.
  public void forget(Sender gone) {
    outgoing.forget(gone);
    incoming.forget(gone);
    sentTo.remove(gone);
  }

  /// Ends overdue transfers.
  public void tidy() {
    outgoing.tidy();
  }

  /// Returns the number of bytes of tensors sent on lanes.
  public long sentBytes() {
    return sentBytes.sum();
  }

  /// Returns the number of bytes of tensors sent on lanes to one worker.
  public long sentBytes(Sender to) {
    LongAdder sent = sentTo.get(to);
    return sent == null ? 0 : sent.sum();
  }

  /// Returns the route of large tensors to a worker, or null if tensors are sent in messages.
  public @Nullable Lane lane(Sender peer) {
    return outgoing.lane(peer);
  }

  /// Adds the current counts of lanes and transfers.
  public void describe(Map<String, Long> info) {
    outgoing.describe(info);
  }

  @Override
  public void close() {
    isClosed = true;
    outgoing.close();
    incoming.close();
    sockets.close();
  }
}
