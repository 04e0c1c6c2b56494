// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.call.GivenPeers;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.TensorTransfers.Loaded;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.LaneNote.Step;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A lane falls back to the event bus when something is missing or breaks.
class LanesTest {
  private static final int FLOATS = Slots.CHUNK / Float.BYTES;

  @TempDir private Path folder;
  private final Relay relay = new Relay();
  private End writer;
  private End reader;
  private boolean isThere = true;

  /// Messages that workers have sent are heard once this is done.
  private CompletableFuture<?> line = CompletableFuture.completedFuture(null);

  /// One worker.
  private final class End {
    private final Sender self;
    private final Lanes lanes;

    private End(String name, int rank, Path memory, Lane... allowed) {
      self = new Sender(new WorkerInfo(name, rank), rank);
      RpcOptions options = RpcOptions.dynamic(rank).withLanes(allowed);
      LaneFiles files = new LaneFiles(List.of(memory));
      Peers peers = new GivenPeers(self, peer -> isThere, LanesTest.this::send);
      lanes = new Lanes(options, files, peers, () -> "127.0.0.1", null, Pair.STRATEGIES);
    }

    private long count(String what) {
      Map<String, Long> info = new HashMap<>();
      lanes.describe(info);
      return info.get("lane." + what);
    }
  }

  private Future<Void> send(Sender to, Frame frame) {
    LaneNote note = LaneNote.from(frame);
    LaneNote heard =
        note.step() == Step.CONNECT
            ? new LaneNote(note.number(), note.step(), note.from(), relay.before(note.text()))
            : note;
    End other = to.equals(reader.self) ? reader : writer;
    line.thenRun(() -> other.lanes.take(heard));
    return Future.succeededFuture();
  }

  private void open(Path memory, Lane... allowed) {
    writer = new End("writer", 0, memory, allowed);
    reader = new End("reader", 1, memory, allowed);
  }

  @AfterEach
  void close() {
    writer.lanes.close();
    reader.lanes.close();
    relay.close();
  }

  private Loaded load(Tensor tensor) {
    return writer.lanes.load(Pair.message(tensor), reader.self, Pair.PATIENCE);
  }

  private Payload unload(Payload payload, Tensor tensor) {
    Payload announced = Pair.announced(Pair.message(tensor), payload.transferId());
    return reader.lanes.unload(announced, writer.self, Pair.PATIENCE);
  }

  private void requireArrival(Tensor tensor) {
    Loaded loaded = load(tensor);
    assertThat(loaded.payload().isBeside()).isTrue();
    loaded.transfer().start();
    Payload arrived = unload(loaded.payload(), tensor);
    assertThat(arrived.tensors().getFirst().value().values()).isEqualTo(tensor.values());
  }

  @Test
  void whatNeedsNoLaneStaysInTheMessage() {
    open(folder, Lane.values());
    for (int count : new int[] {0, 1, RpcOptions.DEFAULT_LANE_THRESHOLD / Float.BYTES - 1}) {
      assertThat(load(Tensor.of(new float[count])).payload().isBeside()).isFalse();
    }
    requireArrival(Tensor.of(new float[RpcOptions.DEFAULT_LANE_THRESHOLD / Float.BYTES]));
  }

  @Test
  void aLargeMessageWaitsForTheLaneLongerThanASmallOne() {
    open(folder, Lane.values());
    line = new CompletableFuture<>();
    Tensor large = Tensor.of(new float[16 * FLOATS]);
    CompletableFuture<Loaded> loaded = CompletableFuture.supplyAsync(() -> load(large));
    assertThat(load(Tensor.of(new float[FLOATS])).payload().isBeside()).isFalse();
    assertThat(loaded).isNotDone();
    line.complete(null);
    assertThat(loaded.join().payload().isBeside()).isTrue();
  }

  @Test
  void noMessageWaitsForTheLaneUntilItIsTooLate() {
    open(folder, Lane.values());
    line = new CompletableFuture<>();
    Payload large = Pair.message(Tensor.of(new float[16 * FLOATS]));
    long nanos = TimeUnit.MILLISECONDS.toNanos(2);
    assertThat(writer.lanes.load(large, reader.self, nanos).payload().isBeside()).isFalse();
  }

  @Test
  void withoutRoomForAFileThereIsAConnection() {
    open(folder.resolve("absent"), Lane.values());
    requireArrival(Tensor.of(new float[3 * FLOATS]));
    assertThat(writer.count("socket")).isEqualTo(1);
  }

  @Test
  void withoutRoomForAFileAndWithoutAConnectionTensorsStayInTheMessage() {
    open(folder.resolve("absent"), Lane.SHARED_MEMORY);
    assertThat(load(Tensor.of(new float[FLOATS])).payload().isBeside()).isFalse();
    assertThat(writer.count("bus")).isEqualTo(1);
  }

  @Test
  void whereNobodyCanConnectTensorsStayInTheMessage() {
    open(folder, Lane.SOCKET);
    relay.isAbsent = true;
    World.eventually(
        () -> {
          load(Tensor.of(new float[FLOATS]));
          return writer.count("bus") == 1;
        });
  }

  @Test
  void aConnectionThatBreaksFailsWhatWasOnItAndIsMadeAnew() {
    open(folder, Lane.SOCKET);
    Tensor large = Tensor.of(new float[100 * FLOATS]);
    requireArrival(Tensor.of(new float[FLOATS]));
    Loaded loaded = load(large);
    loaded.transfer().start();
    relay.cut();
    assertThatThrownBy(() -> unload(loaded.payload(), large))
        .isInstanceOf(WireException.class)
        .hasMessageMatching(
            "the lane from writer was lost before its tensors had arrived: .*no lane.*|.*closed");
    World.eventually(() -> writer.count("transfers") == 0 && writer.count("socket") == 0);
    requireArrival(large);
    assertThat(writer.count("socket")).isEqualTo(1);
  }

  @Test
  void whoWaitsForTensorsOfAWorkerThatIsGoneHearsOfIt() {
    open(folder, Lane.SOCKET);
    Tensor large = Tensor.of(new float[100 * FLOATS]);
    requireArrival(Tensor.of(new float[FLOATS]));
    Loaded loaded = load(large);
    CompletableFuture<Payload> arrival =
        CompletableFuture.supplyAsync(() -> unload(loaded.payload(), large));
    isThere = false;
    writer.lanes.close();
    assertThat(arrival)
        .failsWithin(Pair.PATIENCE, TimeUnit.NANOSECONDS)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(NoSuchWorkerException.class)
        .withMessageStartingWith("writer left before its tensors had arrived: ");
  }
}
