// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G12, G18: two workers, neither of them the first, that cannot hear each other while the cluster
/// has both.
@Tag("slow")
class CutTest {
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final MemoryWorld world =
      new MemoryWorld(3, options -> options.withHeartbeatTimeout(SILENCE));
  private final Rpc second = world.worker(1);
  private final Rpc third = world.worker(2);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private Future<Void> callThatIsCut() {
    Future<Void> blocked = second.with(PATIENT).rpcAsync("worker2", Probe::block);
    world.worker(0).rpcSync("worker2", Probe::awaitBlocked);
    world.network().suffer(Fault.cut("worker1", "worker2"));
    return blocked;
  }

  @Test
  void aCallThatWaitsWithoutLimitFailsOnceItsPairIsCut() {
    assertThatThrownBy(callThatIsCut()::await)
        .isInstanceOfSatisfying(
            NoSuchWorkerException.class,
            error -> {
              assertThat(error.worker()).isEqualTo("worker2");
              assertThat(error.mayHaveRun()).isTrue();
            })
        .hasMessage(
            "worker2 was silent for the heartbeat timeout while worker1 waited for Probe.block;"
                + " the method may have run");
  }

  @Test
  void theOtherSideOfACutNoticesToo() {
    var lost = new CopyOnWriteArrayList<WorkerInfo>();
    third.onWorkerLost(lost::add);
    Future<Void> blocked = callThatIsCut();
    World.eventually(() -> lost.contains(new WorkerInfo("worker1", 1)));
    World.eventually(() -> third.debugInfo().get("rpc.served_calls") == 0);
    assertThatThrownBy(blocked::await).isInstanceOf(NoSuchWorkerException.class);
  }

  @Test
  void aCutPairStaysApartWhenTheCutHealsAndDisturbsNobodyElse() {
    assertThatThrownBy(callThatIsCut()::await).isInstanceOf(NoSuchWorkerException.class);
    world.network().heal();
    World.eventually(() -> third.workers().size() == 2);
    for (Rpc[] pair : new Rpc[][] {{second, third}, {third, second}}) {
      String other = pair[1].self().name();
      assertThatThrownBy(() -> pair[0].rpcSync(other, Probe::where))
          .isInstanceOf(NoSuchWorkerException.class)
          .hasMessageMatching(
              "worker \""
                  + other
                  + "\" is lost to "
                  + pair[0].self()
                  + ", since it (was silent for the heartbeat timeout|lost this worker);"
                  + " restart one of them; known workers: worker0, "
                  + pair[0].self());
    }
    assertThat(world.worker(0).workers()).hasSize(3);
    for (int rank : new int[] {1, 2}) {
      assertThat(world.worker(0).rpcSync("worker" + rank, Probe::where))
          .isEqualTo("worker" + rank + " for worker0");
      assertThat(world.worker(rank).rpcSync("worker0", Probe::where))
          .isEqualTo("worker0 for worker" + rank);
    }
    Future.all(world.worker(0).shutdown(), second.shutdown(), third.shutdown()).await();
  }

  @Test
  void whoHadNoCallsLearnsOfTheCutWhenItCalls() {
    world.network().suffer(Fault.cut("worker1", "worker2"));
    Future<String> call = second.with(PATIENT).rpcAsync("worker2", Probe::where);
    assertThatThrownBy(call::await).isInstanceOf(NoSuchWorkerException.class);
    world.network().heal();
    assertThatThrownBy(() -> third.rpcSync("worker1", Probe::where))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessageContaining("lost");
  }
}
