// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.lane.LaneFiles.Offered;
import dev.tensorbus.rpc.wire.GraphLink;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Both sides of a lane in one process, for tests.
final class Pair implements AutoCloseable {
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  final Slots mine;
  final SlotWriter writer;
  final SlotReader reader;

  /// @param mostBytes what the reader may take
  Pair(Path folder, long mostBytes) throws IOException {
    LaneFiles files = new LaneFiles(List.of(folder));
    Offered offered = files.create(7);
    mine = offered.slots();
    writer = new SlotWriter(mine);
    reader = new SlotReader(files.open(offered.path().toString(), 7), writer::want, mostBytes);
    offered.unlink();
  }

  /// A message with these tensors, which are in it.
  static Payload message(Tensor... tensors) {
    List<WireTensor> wired =
        List.of(tensors).stream().map(tensor -> WireTensor.of(tensor, false)).toList();
    return new Payload(GraphLink.NONE, wired, new byte[0]);
  }

  /// What the receiver of a message knows of it.
  static Payload announced(Payload message, long ticket) {
    List<WireTensor> outlines =
        message.tensors().stream().map(one -> new WireTensor(one.outline(), null)).toList();
    return new Payload(message.graph(), ticket, outlines, message.values());
  }

  Outgoing add(Payload message) {
    return writer.add(Cargo.of(message.tensors()), PATIENCE);
  }

  List<Tensor> fetch(Payload announced) {
    return reader.fetch(announced, PATIENCE).stream().map(WireTensor::value).toList();
  }

  /// How many slots hold something.
  int used() {
    int used = 0;
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      used += mine.word(slot) == Slots.FREE ? 0 : 1;
    }
    return used;
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
  }
}
