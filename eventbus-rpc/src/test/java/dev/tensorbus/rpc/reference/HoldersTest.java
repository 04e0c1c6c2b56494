// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import org.junit.jupiter.api.Test;

/// A fork belongs to one worker: no other gives it up, confirms it or takes it over.
class HoldersTest {
  private static final Sender HOLDER = new Sender(new WorkerInfo("worker1", 1), 11);
  private static final Sender STRANGER = new Sender(new WorkerInfo("worker2", 2), 22);
  private static final GlobalId OBJECT = new GlobalId(0, 7, 1);
  private static final ForkId FORK = new ForkId(OBJECT, new GlobalId(0, 7, 2));

  private final Owners<String> owners =
      new Owners<>(GlobalId::toString, name -> true, worker -> false);
  private final Departures departures = new Departures(NanoClock.SYSTEM);

  @Test
  void aStrangerGivesNoForkUp() {
    owners.share(FORK, "object", true, HOLDER);
    owners.drop(FORK, STRANGER);
    assertThat(owners.find(OBJECT)).isEqualTo("object");
    owners.drop(FORK, HOLDER);
    assertThat(owners.find(OBJECT)).isNull();
  }

  @Test
  void aStrangerKeepsNoForkOutThatHasNotComeYet() {
    ForkId other = new ForkId(OBJECT, new GlobalId(0, 7, 3));
    owners.share(FORK, "object", true, HOLDER);
    owners.drop(other, STRANGER);
    owners.addFork(other, HOLDER);
    assertThat(owners.forks()).isEqualTo(2);
  }

  @Test
  void aStrangerTakesNoForkOver() {
    owners.share(FORK, "object", true, HOLDER);
    assertThatThrownBy(() -> owners.addFork(FORK, STRANGER))
        .hasMessageContaining("is held by worker1, not by worker2");
    owners.workerLost(STRANGER);
    assertThat(owners.find(OBJECT)).isEqualTo("object");
  }

  @Test
  void aStrangerConfirmsNoFork() {
    departures.add(FORK.fork(), OBJECT, HOLDER, null);
    departures.taken(FORK.fork(), STRANGER);
    assertThat(departures.size()).isEqualTo(1);
    departures.taken(FORK.fork(), HOLDER);
    assertThat(departures.size()).isZero();
  }
}
