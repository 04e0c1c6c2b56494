// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Each remote method, and what follows each call, runs where docs/execution.md says.
class ExecutionTest {
  private static final String EVENT_LOOP = "event loop";
  private static final String VIRTUAL = "virtual";

  private final MemoryWorld world = new MemoryWorld(2);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void anEventLoopMethodRunsOnTheEventLoopOnceItIsKnown() {
    assertThat(rpc.rpcSync("worker1", ThreadProbe::thread))
        .isEqualTo(VIRTUAL); // its class is found here
    assertThat(rpc.rpcSync("worker1", ThreadProbe::thread)).isEqualTo(EVENT_LOOP);
  }

  @Test
  void aMethodThatSaysNothingRunsOnAVirtualThread() {
    rpc.rpcSync("worker1", ThreadProbe::usualThread);
    assertThat(rpc.rpcSync("worker1", ThreadProbe::usualThread)).isEqualTo(VIRTUAL);
  }

  /// The first time, too, and it may wait.
  @Test
  void aMethodThatComputesForLongRunsOnAThreadOfTheOperatingSystem() {
    for (int call = 0; call < 2; call++) {
      assertThat(rpc.rpcSync("worker1", ThreadProbe::platformThread, "worker0"))
          .isEqualTo("tensorbus-call, then virtual");
    }
  }

  @Test
  void aCallOnAThreadOfTheOperatingSystemIsInterruptedWhenItIsGivenUp() {
    Future<Void> call = rpc.rpcAsync("worker1", ThreadProbe::blockOnPlatformThread);
    rpc.rpcSync("worker1", Probe::awaitBlocked);
    rpc.cancel(call);
    assertThat(rpc.rpcSync("worker1", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void nothingGoesOnOnAThreadOfTheOperatingSystem() {
    assertThatThrownBy(() -> CallOptions.DEFAULT.continuingOn(Execution.PLATFORM_THREAD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("listeners cannot continue on PLATFORM_THREAD");
  }

  @Test
  void anAdaptiveMethodRunsOnTheEventLoopWhileItIsShort() {
    World.eventually(() -> rpc.rpcSync("worker1", ThreadProbe::computed, 0).equals(EVENT_LOOP));
    rpc.rpcSync("worker1", ThreadProbe::computed, 1);
    rpc.rpcSync("worker1", ThreadProbe::computed, 1);
    assertThat(rpc.rpcSync("worker1", ThreadProbe::computed, 0)).isEqualTo(VIRTUAL);
  }

  @Test
  void anEventLoopMethodOfAnObjectRunsOnTheEventLoop() {
    try (RRef<ThreadProbe> object = rpc.remote("worker1", ThreadProbe::new)) {
      object.rpcSync(ThreadProbe::ownThread);
      assertThat(object.rpcSync(ThreadProbe::ownThread)).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void theEventLoopDoesNotWaitForTheObjectOfAMethod() {
    try (RRef<ThreadProbe> known = rpc.remote("worker1", ThreadProbe::new);
        RRef<ThreadProbe> late = rpc.remote("worker1", ThreadProbe::late)) {
      known.rpcSync(ThreadProbe::ownThread);
      Future<String> early = late.rpcAsync(ThreadProbe::ownThread);
      rpc.rpcSync("worker1", ThreadProbe::openGate);
      assertThat(early.await()).isEqualTo(VIRTUAL);
      assertThat(late.rpcSync(ThreadProbe::ownThread)).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void theEventLoopDoesNotAdoptReferences() {
    RRef<ThreadProbe> mine = rpc.rref(new ThreadProbe());
    rpc.rpcSync("worker1", ThreadProbe::threadForReference, mine);
    assertThat(rpc.rpcSync("worker1", ThreadProbe::threadForReference, mine)).isEqualTo(VIRTUAL);
  }

  @Test
  void theEventLoopDoesNotDecodeManyBytes() {
    rpc.rpcSync("worker1", ThreadProbe::threadFor, "a");
    assertThat(rpc.rpcSync("worker1", ThreadProbe::threadFor, "a")).isEqualTo(EVENT_LOOP);
    assertThat(rpc.rpcSync("worker1", ThreadProbe::threadFor, "a".repeat(100_000)))
        .isEqualTo(VIRTUAL);
  }

  @Test
  void theEventLoopTakesLargeTensorsThatAreHandedOverAndWaitsForNoOthers() {
    Tensor large = Tensor.of(new float[100_000]);
    for (String worker : List.of("worker0", "worker1")) {
      rpc.rpcSync(worker, ThreadProbe::threadForTensor, large);
    }
    assertThat(rpc.rpcSync("worker0", ThreadProbe::threadForTensor, large)).isEqualTo(EVENT_LOOP);
    assertThat(rpc.rpcSync("worker1", ThreadProbe::threadForTensor, large)).isEqualTo(VIRTUAL);
  }

  @Test
  void anEventLoopMethodThatWaitsFailsWithTheCure() {
    rpc.rpcSync("worker1", ThreadProbe::callAndWait, "worker0");
    assertThatThrownBy(() -> rpc.rpcSync("worker1", ThreadProbe::callAndWait, "worker0"))
        .isInstanceOf(RemoteException.class)
        .hasMessageMatching(
            "worker1 failed in ThreadProbe.callAndWait: this would block \\S+; call rpcAsync or"
                + " another …Async method here, or use a virtual thread: deploy the verticle"
                + " with ThreadingModel.VIRTUAL_THREAD, or declare the remote method"
                + " @Remote\\(execution ="
                + " Execution.VIRTUAL_THREAD\\)");
  }

  @Test
  void anEventLoopMethodMayCallOnAndReturnTheFuture() {
    rpc.rpcSync("worker1", ThreadProbe::callOn, "worker0");
    assertThat(rpc.rpcSync("worker1", ThreadProbe::callOn, "worker0"))
        .isEqualTo("event loop, then virtual");
  }

  @Test
  void anAnswerGoesOnOnTheEventLoopOnlyIfTheCallSaysSo() {
    CallOptions eventLoop = CallOptions.DEFAULT.continuingOn(Execution.EVENT_LOOP);
    try (RRef<ThreadProbe> late = rpc.remote("worker1", ThreadProbe::late)) {
      Future<String> usual = late.rpcAsync(ThreadProbe::ownThread).map(there -> ThreadProbe.kind());
      Future<String> atOnce =
          late.with(eventLoop).rpcAsync(ThreadProbe::ownThread).map(there -> ThreadProbe.kind());
      rpc.rpcSync("worker1", ThreadProbe::openGate);
      assertThat(usual.await()).isEqualTo(VIRTUAL);
      assertThat(atOnce.await()).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void aFailureGoesOnWhereASuccessDoes() {
    assertThat(afterFailure(rpc)).isEqualTo(VIRTUAL);
    for (Execution execution : EnumSet.complementOf(EnumSet.of(Execution.PLATFORM_THREAD))) {
      Calls calls = rpc.with(CallOptions.DEFAULT.continuingOn(execution));
      String success = afterAnswer(calls, ThreadProbe::kind);
      assertThat(afterFailure(calls)).as("%s", execution).isEqualTo(success);
    }
  }

  private String afterFailure(Calls calls) {
    Future<Void> call = calls.rpcAsync("worker1", Probe::blockUntilCancelled);
    Future<String> followed =
        call.transform(
            done -> Future.succeededFuture(done.failed() ? ThreadProbe.kind() : "no failure"));
    rpc.cancel(call);
    return followed.await();
  }

  /// The answer leaves when the code is there that follows it.
  private String afterAnswer(Calls calls, Supplier<String> code) {
    Future<String> followed =
        calls.rpcAsync("worker1", ThreadProbe::held).map(nothing -> code.get());
    rpc.rpcSync("worker1", ThreadProbe::release);
    return followed.await();
  }

  @Test
  void anAdaptiveAnswerGoesOnOnTheEventLoopWhileWhatFollowsIsShort() {
    Calls adaptive = rpc.with(CallOptions.DEFAULT.continuingOn(Execution.ADAPTIVE));
    World.eventually(() -> afterAnswer(adaptive, () -> computed(0)).equals(EVENT_LOOP));
    afterAnswer(adaptive, () -> computed(1));
    afterAnswer(adaptive, () -> computed(1));
    assertThat(afterAnswer(adaptive, () -> computed(0))).isEqualTo(VIRTUAL);
  }

  private static String computed(int millis) {
    return ThreadProbe.computedHere(millis);
  }

  @Test
  void theErrorOfAnEventLoopMethodReachesTheCaller() {
    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", ThreadProbe::fail))
          .isInstanceOf(RemoteException.class)
          .hasMessage("worker1 failed in ThreadProbe.fail: no");
    }
  }
}
