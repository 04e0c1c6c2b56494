// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A listener that throws keeps nobody else from hearing: no other listener, and no other worker of
/// the same Vertx.
class ListenerTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final Vertx here = cluster.start();
  private final Vertx there = cluster.start();
  private World world;

  @BeforeEach
  void openWorld() {
    world = new World(List.of(here, here, there));
  }

  @AfterEach
  void closeWorld() {
    world.close();
    here.close().await();
    there.close().await();
  }

  private static Consumer<WorkerInfo> throwing(Throwable error) {
    return worker -> ListenerTest.<RuntimeException>raise(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // any error may be thrown so
  private static <E extends Throwable> void raise(Throwable error) throws E {
    throw (E) error;
  }

  @Test
  void aThrowingListenerKeepsNoWorkerOfItsVertxFromHearingOfADeath() {
    Promise<WorkerInfo> sameWorker = Promise.promise();
    Promise<WorkerInfo> otherWorker = Promise.promise();
    for (int rank = 0; rank < 2; rank++) {
      world.worker(rank).onWorkerLost(throwing(new IllegalStateException("on purpose")));
      world.worker(rank).onWorkerLost(throwing(new AssertionError("on purpose")));
    }
    world.worker(0).onWorkerLost(sameWorker::complete);
    world.worker(1).onWorkerLost(otherWorker::complete);
    List<Future<Void>> calls =
        List.of(
            world.worker(0).rpcAsync("worker2", Probe::never),
            world.worker(1).rpcAsync("worker2", Probe::never));
    cluster.kill(there).await();
    for (Future<Void> call : calls) {
      assertThatThrownBy(() -> World.await(call)).isInstanceOf(NoSuchWorkerException.class);
    }
    assertThat(World.await(sameWorker.future()).name()).isEqualTo("worker2");
    assertThat(World.await(otherWorker.future()).name()).isEqualTo("worker2");
  }

  @Test
  void aThrowingListenerKeepsNobodyFromHearingOfANewcomer() {
    Promise<WorkerInfo> newcomer = Promise.promise();
    world.close();

    Rpc first = Rpc.open(here, "first", RpcOptions.dynamic(0)).await();
    first.onWorkerJoined(throwing(new IllegalStateException("on purpose")));
    first.onWorkerJoined(newcomer::complete);
    Rpc second = Rpc.open(there, "second", RpcOptions.dynamic(1)).await();
    assertThat(World.await(newcomer.future()).name()).isEqualTo("second");
    assertThat(World.await(second.rpcAsync("first", Probe::where))).isEqualTo("first for second");
    Future.join(first.leave(), second.leave()).await();
  }
}
