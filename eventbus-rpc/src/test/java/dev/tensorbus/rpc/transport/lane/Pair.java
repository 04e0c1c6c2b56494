// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles.Offered;
import dev.tensorbus.rpc.transport.lane.memory.MappedSlots;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Outgoing;
import dev.tensorbus.rpc.transport.lane.slot.SlotReader;
import dev.tensorbus.rpc.transport.lane.slot.SlotWriter;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.transport.lane.socket.SocketInbox;
import dev.tensorbus.rpc.transport.lane.socket.SocketLink;
import dev.tensorbus.rpc.transport.lane.socket.SocketOutbox;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/// Both sides of a lane in one process, for tests.
public final class Pair implements AutoCloseable {
  static final long PATIENCE = World.PATIENCE.toNanos();

  private static final long TOKEN = 7;
  public static final IdleStrategies STRATEGIES =
      new IdleStrategies(IdleMode.ADAPTIVE, NanoClock.SYSTEM);

  final Slots.Out mine;
  final SlotWriter writer;
  final SlotReader reader;
  private final Runnable afterwards;

  private Pair(Slots.Out mine, Slots.In theirs, long mostBytes, Runnable afterwards) {
    this.mine = mine;
    this.afterwards = afterwards;
    writer = new SlotWriter(mine, new AtomicLong()::incrementAndGet, STRATEGIES);
    reader = new SlotReader(theirs, writer::want, mostBytes, STRATEGIES);
  }

  /// They share a file.
  ///
  /// @param mostBytes what the reader may take
  static Pair mapped(Path folder, long mostBytes) throws IOException {
    LaneFiles files = new LaneFiles(List.of(folder));
    Offered offered = files.create(TOKEN);
    MappedSlots theirs = files.open(offered.path().toString(), TOKEN);
    offered.unlink();
    return new Pair(offered.slots(), theirs, mostBytes, () -> {});
  }

  /// They have a connection over loopback.
  ///
  /// @param mostBytes what the reader may take
  static Pair connected(long mostBytes) throws IOException {
    Sockets sockets = new Sockets(() -> "127.0.0.1", PortRange.ANY, null, STRATEGIES);
    CompletableFuture<ByteChannel> accepted = new CompletableFuture<>();
    sockets.expect(TOKEN, accepted::complete);
    SocketLink mine = new SocketLink(sockets.connect(sockets.address()), "reader");
    mine.add(Sockets.hello(TOKEN));
    mine.flush();
    SocketOutbox outbox = new SocketOutbox(mine);
    Thread.ofPlatform().daemon().start(() -> mine.read(outbox::read));
    SocketLink theirs = new SocketLink(accepted.join(), "writer");
    SocketInbox inbox = new SocketInbox(theirs, STRATEGIES);
    Thread.ofPlatform().daemon().start(() -> theirs.read(inbox::read));
    return new Pair(outbox, inbox, mostBytes, sockets::close);
  }

  /// A message with these tensors, which are in it.
  public static Payload message(Tensor... tensors) {
    List<WireTensor> wired =
        List.of(tensors).stream().map(tensor -> WireTensor.of(tensor, false)).toList();
    return new Payload(wired, new byte[0]);
  }

  /// A message as its receiver sees it.
  public static Payload announced(Payload message, long transferId) {
    List<WireTensor> headers =
        message.tensors().stream().map(one -> new WireTensor(one.header(), null)).toList();
    return new Payload(transferId, headers, message.values());
  }

  Outgoing add(Payload message) {
    return writer.add(GatherBuffer.of(message.tensors()), PATIENCE);
  }

  List<Tensor> fetch(Payload announced) {
    return reader.fetch(announced, PATIENCE).stream().map(WireTensor::value).toList();
  }

  /// How many slots hold something.
  int used() {
    int used = 0;
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      used += mine.isFree(slot) ? 0 : 1;
    }
    return used;
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
    afterwards.run();
  }
}
