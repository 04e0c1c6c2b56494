// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Simulation simulation = new Simulation(7);
  private final List<Object> received = new ArrayList<>();
  private final SimulatedNode a = simulation.start("a");

  private SimulatedNode receiver(String name) {
    SimulatedNode node = simulation.start(name);
    node.onMessage((from, message) -> received.add(message));
    return node;
  }

  private void sendNumbers(int count) {
    IntStream.range(0, count).forEach(number -> a.send("b", number));
  }

  @Test
  void messagesArriveInOrderAfterTheirLatency() {
    receiver("b");
    simulation.setLatency(Duration.ofMillis(2), Duration.ofMillis(5));
    sendNumbers(100);
    simulation.run(Duration.ofMillis(2).minusNanos(1));
    assertThat(received).isEmpty();
    simulation.run(Duration.ofMillis(3).plusNanos(1));
    assertThat(received).isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void faultsLoseDelayAndDuplicateMessages() {
    receiver("b");
    simulation.suffer(Fault.drop(1).from("a").to("b"));
    sendNumbers(1);
    simulation.run(SECOND);
    assertThat(received).isEmpty();
    simulation.heal();
    simulation.suffer(Fault.duplicate(1).ofKind("Integer"), Fault.delay(1, Duration.ofMillis(50)));
    sendNumbers(100);
    simulation.run(SECOND);
    assertThat(received)
        .hasSize(200)
        .doesNotContainSequence(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void aKilledNodeRunsNothingMoreAndItsSuccessorReceivesOnlyNewMessages() {
    SimulatedNode first = receiver("b");
    first.after(Duration.ofMillis(1), () -> received.add("alarm of a dead node"));
    sendNumbers(1);
    simulation.kill("b");
    SimulatedNode second = receiver("b");
    assertThat(second.incarnation()).isEqualTo(2);
    assertThat(first.isAlive()).isFalse();
    a.send("b", "new");
    first.send("b", "from a dead node");
    simulation.run(SECOND);
    assertThat(received).containsExactly("new");
  }

  @Test
  void aFrozenNodeCatchesUpWhenItResumes() {
    SimulatedNode b = receiver("b");
    simulation.freeze("b");
    ScheduledFuture<?> cancelled = b.clock().alarm(1, () -> received.add("cancelled"));
    b.after(Duration.ofMillis(500), () -> received.add("alarm"));
    sendNumbers(2);
    simulation.run(SECOND);
    assertThat(received).isEmpty();
    cancelled.cancel(false);
    simulation.thaw("b");
    simulation.run(Duration.ZERO);
    assertThat(received).containsExactly(0, 1, "alarm");
  }

  @Test
  void alarmsFollowTheDriftingClockOfTheirNode() {
    simulation.setDrift(0.5);
    for (int i = 0; i < 100; i++) {
      SimulatedNode node = simulation.start("node" + i);
      long start = node.clock().nanoTime();
      node.after(SECOND, () -> received.add(node.clock().nanoTime() - start));
    }
    simulation.run(Duration.ofMillis(1000 * 2 / 3 - 1));
    assertThat(received).isEmpty();
    simulation.run(Duration.ofMillis(667));
    assertThat(received).hasSizeBetween(50, 99);
    simulation.run(Duration.ofMillis(668));
    assertThat(received).hasSize(100);
    assertThat(received)
        .allSatisfy(elapsed -> assertThat((Long) elapsed).isBetween(999_999_999L, 1_000_000_001L));
  }

  @Test
  void equalSeedsGiveEqualTracesAndOthersDoNot() {
    assertThat(gossip(1)).isEqualTo(gossip(1)).isNotEqualTo(gossip(2));
    assertThat(gossip(1)).as("in every JVM").isEqualTo(3784509498617201307L);
  }

  /// Lets ten nodes pass numbers on at random, under faults.
  private static long gossip(long seed) {
    Simulation simulation = new Simulation(seed);
    simulation.setDrift(0.01);
    simulation.suffer(Fault.drop(0.01), Fault.delay(0.1, Duration.ofMillis(5)));
    for (int i = 0; i < 10; i++) {
      SimulatedNode node = simulation.start("node" + i);
      node.onMessage((from, message) -> passOn(node, (Integer) message + 1));
      node.after(Duration.ofMillis(1), () -> passOn(node, 0));
    }
    simulation.after(Duration.ofMillis(20), () -> simulation.kill("node3"));
    simulation.run(Duration.ofMillis(100));
    return simulation.traceHash();
  }

  private static void passOn(SimulatedNode node, int number) {
    node.send("node" + node.random().nextInt(10), number);
  }

  @Test
  void theTraceShowsEventsOfTheSimulationAndOfTheTest() {
    List<String> lines = new ArrayList<>();
    simulation.onTrace(lines::add);
    receiver("b");
    a.send("b", "hello");
    a.send("c", new byte[] {1});
    simulation.run(SECOND);
    a.trace("decides");
    simulation.kill("a");
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).isEqualTo("0.000000 start b 1");
    assertThat(lines.get(1)).isEqualTo("0.000000 lost a > c 32");
    assertThat(lines.get(2)).startsWith("0.000").endsWith(" a > b hello");
    assertThat(lines.get(3)).isEqualTo("1.000000 a decides");
    assertThat(lines.get(4)).isEqualTo("1.000000 kill a");
  }

  @Test
  void anExceptionOfANodeNamesTheSeedAndTheTime() {
    a.after(
        Duration.ofMillis(20),
        () -> {
          throw new IllegalArgumentException("two leaders");
        });
    assertThatThrownBy(() -> simulation.run(SECOND))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the simulation of seed 7 failed after PT0.02S: java.lang.IllegalArgumentException:"
                + " two leaders");
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> simulation.start("a"))
        .hasMessage("node \"a\" is alive; kill it first");
    assertThatThrownBy(() -> simulation.kill("b")).hasMessage("no live node \"b\"; there are a");
    assertThatThrownBy(() -> simulation.setDrift(1))
        .hasMessage("drift 1.0 must be at least 0 and below 1");
    assertThatThrownBy(() -> simulation.setLatency(SECOND, Duration.ZERO))
        .hasMessage("latency from PT1S to PT0S; expected 0 <= minimum <= maximum");
    assertThatThrownBy(() -> a.clock().sleep(SECOND))
        .hasMessage("a simulation has one thread, which cannot sleep; use alarms");
  }
}
