// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.transport.bus.FrameCodec;
import dev.tensorbus.rpc.transport.bus.Received;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Bundle;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sends numbered frames from worker0 to worker1 and back.
class FaultyNetworkTest {
  private static final int MANY = 200;

  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Long> arrived = Collections.synchronizedList(new ArrayList<>());
  private Vertx first;
  private Vertx second;

  @BeforeEach
  void startHosts() {
    first = host("worker0");
    second = host("worker1");
  }

  private Vertx host(String worker) {
    Vertx vertx = cluster.start();
    vertx.eventBus().registerCodec(new FrameCodec());
    vertx
        .eventBus()
        .<Received>consumer(address(worker), message -> arrived.add(message.body().frame().call()))
        .completion()
        .await();
    return vertx;
  }

  @AfterEach
  void stopHosts() {
    first.close().await();
    second.close().await();
  }

  private static String address(String worker) {
    return BusAddresses.worker(worker, 1);
  }

  private FaultyNetwork network(long seed) {
    FaultyNetwork network = new FaultyNetwork(seed);
    network.attach("worker0", first);
    network.attach("worker1", second);
    return network;
  }

  private static Future<Void> send(Vertx from, String to, long number) {
    return send(from, to, answer(number));
  }

  private static Future<Void> send(Vertx from, String to, Frame frame) {
    return from.eventBus()
        .<Frame>sender(address(to), new DeliveryOptions().setCodecName(FrameCodec.NAME))
        .write(frame);
  }

  private static Frame answer(long number) {
    return new Response(number, 0, Response.Outcome.RESULT, false, Attached.NONE, null, null)
        .toFrame();
  }

  private List<Long> sendMany(FaultyNetwork network) {
    arrived.clear();
    for (int i = 0; i < MANY; i++) {
      send(first, "worker1", i);
    }
    network.heal();
    awaitLast();
    return List.copyOf(arrived);
  }

  /// One more, which arrives after all that nothing holds up.
  private void awaitLast() {
    send(first, "worker1", -1);
    World.eventually(() -> arrived.contains(-1L));
    arrived.remove(-1L);
  }

  private static List<Long> all() {
    return IntStream.range(0, MANY).mapToObj(Long::valueOf).toList();
  }

  @Test
  void theSameSeedLosesTheSameMessages() {
    List<List<Long>> received = new ArrayList<>();
    for (long seed : List.of(7L, 7L, 8L)) {
      try (FaultyNetwork network = network(seed)) {
        network.suffer(Fault.drop(0.3));
        received.add(sendMany(network));
      }
    }
    assertThat(received.get(0)).hasSizeBetween(MANY / 2, MANY * 9 / 10).isSorted();
    assertThat(received.get(1)).isEqualTo(received.get(0));
    assertThat(received.get(2)).isNotEqualTo(received.get(0));
  }

  @Test
  void eachMessageOfABundleHasItsOwnFate() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.duplicate(1));
      send(first, "worker1", new Bundle(List.of(answer(1), answer(2))).toFrame());
      World.eventually(() -> arrived.size() == 4);
      assertThat(arrived).containsExactlyInAnyOrder(1L, 2L, 1L, 2L);
    }
  }

  @Test
  void duplicatesArriveTwice() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.duplicate(1));
      sendMany(network);
      World.eventually(() -> arrived.size() == 2 * MANY);
      assertThat(arrived).containsAll(all());
    }
  }

  @Test
  void delayedMessagesAllArriveAndOvertakeEachOther() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.delay(1, Duration.ofMillis(30)));
      sendMany(network);
      World.eventually(() -> arrived.size() == MANY);
      assertThat(arrived).containsExactlyInAnyOrderElementsOf(all()).isNotEqualTo(all());
    }
  }

  @Test
  void aReorderedMessageArrivesAfterTheNext() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.reorder(1).within(Duration.ofHours(1)));
      send(first, "worker1", 1);
      network.heal();
      network.suffer(Fault.drop(0));
      send(first, "worker1", 2);
      World.eventually(() -> arrived.size() == 2);
      assertThat(arrived).containsExactly(2L, 1L);
    }
  }

  @Test
  void aReorderedMessageArrivesThoughNoneFollows() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.reorder(1));
      send(first, "worker1", 1);
      World.eventually(() -> arrived.contains(1L));
    }
  }

  @Test
  void aCutLosesBothDirectionsAndHeals() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.cut("worker0", "worker1"));
      send(first, "worker1", 1);
      send(second, "worker0", 2);
      network.heal();
      awaitLast();
      send(second, "worker0", 3);
      World.eventually(() -> arrived.contains(3L));
      assertThat(arrived).containsExactly(3L);
      assertThat(network.history())
          .containsExactly(
              "DROP worker0 -> worker1 response #1", "DROP worker1 -> worker0 response #1");
    }
  }

  @Test
  void onlyChosenMessagesSuffer() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(
          Fault.drop(1).to("worker0"), Fault.drop(1).ofKind("request"), Fault.isolate("worker2"));
      send(first, "worker1", 1);
      World.eventually(() -> arrived.contains(1L));
    }
  }

  @Test
  void whatAWorkerSendsToItselfArrives() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.drop(1));
      send(first, "worker0", 1);
      World.eventually(() -> arrived.contains(1L));
    }
  }

  @Test
  void theSenderCannotTellThatAMessageIsLost() {
    try (FaultyNetwork network = network(1)) {
      network.suffer(Fault.drop(1));
      assertThat(send(first, "worker1", 1).await()).isNull();
    }
  }

  @Test
  void aProbabilityIsFromZeroToOne() {
    assertThatThrownBy(() -> Fault.drop(1.5)).hasMessage("probability 1.5 must be from 0 to 1");
    assertThatThrownBy(() -> Fault.delay(1, Duration.ofMillis(-1)))
        .hasMessage("time PT-0.001S must not be negative");
  }
}
