// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The code that follows a failed call runs where the code after an answer runs, however it fails.
@Tag("slow")
class AfterFailureTest {
  private static final CallOptions BRIEF = CallOptions.timeout(Duration.ofMillis(50));

  private final CountDownLatch goOn = new CountDownLatch(1);
  private MemoryWorld world;
  private Rpc first;

  @BeforeEach
  void openWorld() {
    world = new MemoryWorld(3);
    first = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    goOn.countDown();
    world.close();
  }

  /// Ways in which a call of the first worker to the second fails.
  private enum Failure {
    TIME_OUT(RpcTimeoutException.class) {
      @Override
      Future<Void> call(Rpc first) {
        return first.with(BRIEF).rpcAsync("worker1", Probe::block);
      }
    },
    DEATH(NoSuchWorkerException.class) {
      @Override
      void bringAbout(MemoryWorld world, Future<Void> call) {
        world.worker(0).rpcSync("worker1", Probe::awaitBlocked);
        world.kill(1);
      }
    },
    GOODBYE(NoSuchWorkerException.class) {
      @Override
      void bringAbout(MemoryWorld world, Future<Void> call) {
        world.worker(0).rpcSync("worker1", Probe::awaitBlocked);
        world.worker(1).leave().await();
      }
    },
    CANCELLATION(CancellationException.class) {
      @Override
      void bringAbout(MemoryWorld world, Future<Void> call) {
        world.worker(0).cancel(call);
      }
    },
    EXCEPTION(RemoteException.class) {
      @Override
      Future<Void> call(Rpc first) {
        return first.rpcAsync("worker1", Probe::fail, "expected").mapEmpty();
      }
    },
    REFUSAL(RemoteException.class) {
      @Override
      Future<Void> call(Rpc first) {
        return first.rpcAsync("worker1", Probe::secret).mapEmpty();
      }
    };

    private final Class<? extends Throwable> error;

    Failure(Class<? extends Throwable> error) {
      this.error = error;
    }

    Future<Void> call(Rpc first) {
      return first.rpcAsync("worker1", Probe::block);
    }

    /// Has the call fail, unless it does so by itself.
    void bringAbout(MemoryWorld world, Future<Void> call) {}
  }

  /// Makes the call on a virtual thread and lets something follow it there: it runs on that thread
  /// if the call has failed already. Then has the call fail.
  private void follow(Failure failure, Consumer<Future<Void>> follow) {
    Promise<Future<Void>> made = Promise.promise();
    Thread.startVirtualThread(
        () -> {
          Future<Void> call = failure.call(first);
          made.complete(call);
          follow.accept(call);
        });
    failure.bringAbout(world, World.await(made.future()));
  }

  @ParameterizedTest
  @EnumSource
  void aContinuationMayAskAnotherWorkerAndWait(Failure failure) {
    Promise<String> answer = Promise.promise();
    follow(
        failure,
        call ->
            call.map("")
                .recover(
                    error -> {
                      assertThat(error).isInstanceOf(failure.error);
                      assertThat(Thread.currentThread().isVirtual()).isTrue();
                      return Future.succeededFuture(first.rpcSync("worker2", Probe::where));
                    })
                .onComplete(answer));
    assertThat(World.await(answer.future())).isEqualTo("worker2 for worker0");
  }

  @ParameterizedTest
  @EnumSource
  void aContinuationThatBlocksKeepsNoOtherCallFromItsEnd(Failure failure) {
    CountDownLatch blocks = new CountDownLatch(1);
    follow(failure, call -> call.onFailure(error -> block(blocks)));
    World.await(blocks);
    Future<Void> late = first.with(BRIEF).rpcAsync("worker2", Probe::never);
    assertThatThrownBy(() -> World.await(late)).isInstanceOf(RpcTimeoutException.class);
    Future<Void> interrupted = first.rpcAsync("worker2", Probe::never);
    world.kill(2);
    assertThatThrownBy(() -> World.await(interrupted)).isInstanceOf(NoSuchWorkerException.class);
  }

  private void block(CountDownLatch blocks) {
    blocks.countDown();
    World.await(goOn);
  }

  @ParameterizedTest
  @EnumSource
  void whatFollowsACallFromAnEventLoopRunsThere(Failure failure) {
    Vertx vertx = Vertx.vertx();
    Promise<Future<Void>> made = Promise.promise();
    Promise<Boolean> isSame = Promise.promise();
    vertx.runOnContext(
        ignored -> {
          Thread loop = Thread.currentThread();
          Future<Void> call = failure.call(first);
          call.onFailure(error -> isSame.complete(loop.equals(Thread.currentThread())));
          made.complete(call);
        });
    failure.bringAbout(world, made.future().await());
    assertThat(isSame.future().await()).isTrue();
    vertx.close().await();
  }

  @Test
  void whatFollowsAnObjectThatIsNotMadeInTimeMayBlockToo() {
    CountDownLatch blocks = new CountDownLatch(1);
    RRef<Void> never = first.with(BRIEF).remote("worker0", Probe::never);
    Thread.startVirtualThread(() -> never.created().onFailure(error -> block(blocks)));
    World.await(blocks);
    Future<Void> late = first.with(BRIEF).rpcAsync("worker2", Probe::block);
    assertThatThrownBy(() -> World.await(late)).isInstanceOf(RpcTimeoutException.class);
  }

  @Test
  void whatFollowsACreationRunsWhereItIsAskedFor() {
    Vertx vertx = Vertx.vertx();
    Promise<RRef<Void>> made = Promise.promise();
    vertx.runOnContext(ignored -> made.complete(first.remote("worker1", Probe::block)));
    RRef<Void> reference = made.future().await();
    first.rpcSync("worker1", Probe::awaitBlocked);
    Promise<Boolean> isVirtual = Promise.promise();
    CountDownLatch asked = new CountDownLatch(1);
    Thread.startVirtualThread(
        () -> {
          reference.created().onComplete(done -> isVirtual.complete(isOnVirtualThread()));
          asked.countDown();
        });
    World.await(asked);
    world.kill(1);
    assertThat(World.await(isVirtual.future())).isTrue();
    vertx.close().await();
  }

  private static boolean isOnVirtualThread() {
    return Thread.currentThread().isVirtual();
  }

  @Test
  void whatFollowsAShutdownOrALeavingMayBlock() {
    for (Supplier<Future<Void>> end :
        List.<Supplier<Future<Void>>>of(
            first::leave, () -> world.worker(1).shutdown(Duration.ofMillis(1)))) {
      Promise<Boolean> isVirtual = Promise.promise();
      Thread.startVirtualThread(
          () -> end.get().onComplete(done -> isVirtual.complete(isOnVirtualThread())));
      assertThat(World.await(isVirtual.future())).isTrue();
    }
  }

  @Test
  void aContinuationThatThrowsKeepsNoOtherCallFromItsEnd() {
    Future<Void> call = first.rpcAsync("worker1", Probe::block);
    call.onFailure(
        error -> {
          throw new IllegalStateException("thrown on purpose by a continuation");
        });
    Future<Void> other = first.rpcAsync("worker1", Probe::never);
    Failure.DEATH.bringAbout(world, call);
    assertThatThrownBy(() -> World.await(other)).isInstanceOf(NoSuchWorkerException.class);
  }

  @Test
  void whatFollowsAnAllGatherThatFailsMayBlock() {
    CountDownLatch blocks = new CountDownLatch(1);
    Thread.startVirtualThread(() -> first.allGatherAsync(1).onFailure(error -> block(blocks)));
    world.kill(1);
    World.await(blocks);
    Future<Void> interrupted = first.rpcAsync("worker2", Probe::never);
    world.kill(2);
    assertThatThrownBy(() -> World.await(interrupted)).isInstanceOf(NoSuchWorkerException.class);
  }
}
