// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Outgoing;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.wire.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The behaviour of lanes that does not depend on how their slots are made.
abstract class SlotContract {
  static final int FLOATS = Slots.CHUNK / Float.BYTES;
  private static final long MUCH = 1L << 40;

  /// With -Dlane.mib=1024 the largest tensor has 1 GiB; it needs a heap of 4 GiB.
  private static final int LARGE_MIB = Integer.getInteger("lane.mib", 64);

  final long seed = Long.getLong("seed", System.nanoTime());
  final Random random = new Random(seed);

  Pair pair;

  /// Opens both sides of a lane.
  ///
  /// @param mostBytes what the reader may take of the heap
  abstract Pair open(long mostBytes) throws IOException;

  @BeforeEach
  void open() throws IOException {
    pair = open(MUCH);
  }

  @AfterEach
  void close() {
    pair.close();
  }

  static Tensor counting(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i;
    }
    return Tensor.of(values);
  }

  private void requireArrival(Tensor... tensors) {
    Payload message = Pair.message(tensors);
    Outgoing transfer = pair.add(message);
    CompletableFuture<List<Tensor>> arrival =
        CompletableFuture.supplyAsync(
            () -> pair.fetch(Pair.announced(message, transfer.transferId())));
    transfer.start();
    List<Tensor> arrived = arrival.orTimeout(60, TimeUnit.SECONDS).join();
    for (int i = 0; i < tensors.length; i++) {
      assertThat(arrived.get(i).shape()).isEqualTo(tensors[i].shape());
      assertThat(arrived.get(i).heap()).isEqualTo(tensors[i].heap());
    }
    World.eventually(() -> pair.writer.tidy() == 0 && pair.used() == 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 31, 32, 33, 100})
  void tensorsAroundEveryChunkBoundaryArrive(int chunks) {
    for (int extra = -1; extra <= 1; extra++) {
      requireArrival(counting(chunks * FLOATS + extra));
    }
  }

  @Test
  void aTensorOfOneValueArrives() {
    requireArrival(Tensor.scalar(3));
  }

  @Test
  void aTensorMuchLargerThanTheLaneArrives() {
    requireArrival(counting(LARGE_MIB << 18));
  }

  @Test
  void tensorsOfEveryTypeArriveEndToEnd() {
    boolean[] mask = new boolean[FLOATS + 3];
    mask[FLOATS] = true;
    requireArrival(
        Tensor.ofBooleans(mask),
        Tensor.of(),
        Tensor.ofDoubles(1, 2, 3),
        counting(2 * FLOATS + 5),
        Tensor.full(Shape.of(0, 4), DType.FLOAT32, 1),
        Tensor.ofLongs(Long.MAX_VALUE, -1),
        counting(FLOATS + 1).to(DType.BFLOAT16),
        Tensor.ofBooleans(true));
  }

  @Test
  void aThousandTransfersArriveInAnyOrder() {
    List<CompletableFuture<Void>> arrivals = new ArrayList<>();
    List<Runnable> fetches = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Tensor tensor = counting(1 + random.nextInt(2 * FLOATS));
      Payload message = Pair.message(tensor);
      Outgoing transfer = pair.add(message);
      Thread.startVirtualThread(transfer::start);
      CompletableFuture<Void> arrival = new CompletableFuture<>();
      arrivals.add(arrival);
      fetches.add(
          () -> {
            List<Tensor> arrived = pair.fetch(Pair.announced(message, transfer.transferId()));
            assertThat(arrived.getFirst().values()).isEqualTo(tensor.values());
            arrival.complete(null);
          });
    }
    Collections.shuffle(fetches, random);
    fetches.forEach(Thread::startVirtualThread);
    assertThat(CompletableFuture.allOf(arrivals.toArray(CompletableFuture<?>[]::new)))
        .as("seed " + seed)
        .succeedsWithin(60, TimeUnit.SECONDS);
  }

  @Test
  void whatNobodyFetchesHoldsNobodyUp() {
    for (int i = 0; i < 100; i++) {
      pair.add(Pair.message(counting(3 * FLOATS))).start();
    }
    World.eventually(() -> pair.used() == Slots.COUNT / 2);
    Payload message = Pair.message(counting(20 * FLOATS));
    Outgoing transfer = pair.add(message);
    transfer.start();
    assertThat(pair.fetch(Pair.announced(message, transfer.transferId())).getFirst().values())
        .isEqualTo(message.tensors().getFirst().value().values());
  }

  @Test
  void aReceiverThatStallsStallsTheSender() {
    Payload message = Pair.message(counting(100 * FLOATS));
    Outgoing transfer = pair.add(message);
    transfer.start();
    int most = Math.min(pair.mine.window(), Slots.COUNT / 2);
    World.eventually(() -> pair.used() == most);
    assertThat(transfer.isLoaded()).isFalse();
    List<Tensor> arrived = pair.fetch(Pair.announced(message, transfer.transferId()));
    assertThat(arrived.getFirst().values()).hasSize(100 * FLOATS);
  }

  @Test
  void whatIsTakenBackFreesItsSlots() {
    Payload message = Pair.message(counting(100 * FLOATS));
    Outgoing transfer = pair.add(message);
    transfer.start();
    transfer.end();
    World.eventually(() -> pair.used() == 0);
    long soon = TimeUnit.MILLISECONDS.toNanos(20);
    assertThatThrownBy(
            () -> pair.reader.fetch(Pair.announced(message, transfer.transferId()), soon))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("the tensors of a message did not arrive in time");
    assertThat(pair.writer.tidy()).isZero();
  }

  @Test
  void whatIsOverdueIsTakenBack() {
    pair.writer.add(GatherBuffer.of(Pair.message(counting(FLOATS)).tensors()), 1).start();
    World.eventually(() -> pair.writer.tidy() == 0 && pair.used() == 0);
  }

  @Test
  void whoWaitsWhenTheLaneIsClosedHearsOfIt() {
    Payload announced = Pair.announced(Pair.message(counting(9)), 1);
    CompletableFuture<?> arrival = CompletableFuture.supplyAsync(() -> pair.fetch(announced));
    pair.reader.close();
    assertThatThrownBy(arrival::join).hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTransferLargerThanTheRoomComesAlone() throws IOException {
    pair.close();
    pair = open(Slots.CHUNK);
    requireArrival(counting(50 * FLOATS));
    requireArrival(counting(10));
  }

  @Test
  void aTransferIdThatCannotBeIsRefusedBeforeMemoryIsTaken() {
    Payload message = Pair.message(counting(1));
    for (long transferId : new long[] {-1, Long.MIN_VALUE, 1L << 39, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> pair.fetch(Pair.announced(message, transferId)))
          .isInstanceOf(WireException.class)
          .hasMessage("no transfer has id " + transferId + " and 4 bytes");
    }
  }
}
