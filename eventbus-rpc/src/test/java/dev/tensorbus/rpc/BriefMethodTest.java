// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Methods marked `@Remote(brief = true)` run on the event loop, and hold it up for nothing.
class BriefMethodTest {
  private static final String EVENT_LOOP = "event loop";
  private static final String VIRTUAL = "virtual";

  private final MemoryWorld world = new MemoryWorld(2);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aBriefMethodRunsOnTheEventLoopOnceItIsKnown() {
    assertThat(rpc.rpcSync("worker1", Brief::thread)).isEqualTo(VIRTUAL); // its class is found here
    assertThat(rpc.rpcSync("worker1", Brief::thread)).isEqualTo(EVENT_LOOP);
  }

  @Test
  void anyOtherMethodRunsOnAVirtualThread() {
    rpc.rpcSync("worker1", Brief::usualThread);
    assertThat(rpc.rpcSync("worker1", Brief::usualThread)).isEqualTo(VIRTUAL);
  }

  @Test
  void aMethodThatOnlyComputesRunsOnTheEventLoopWhileThatTakesLittle() {
    World.eventually(() -> rpc.rpcSync("worker1", Brief::computed, 0).equals(EVENT_LOOP));
    rpc.rpcSync("worker1", Brief::computed, 1);
    rpc.rpcSync("worker1", Brief::computed, 1);
    assertThat(rpc.rpcSync("worker1", Brief::computed, 0)).isEqualTo(VIRTUAL);
  }

  @Test
  void aBriefMethodOfAnObjectRunsOnTheEventLoop() {
    try (RRef<Brief> object = rpc.remote("worker1", Brief::new)) {
      object.rpcSync(Brief::ownThread);
      assertThat(object.rpcSync(Brief::ownThread)).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void theEventLoopDoesNotWaitForTheObjectOfABriefMethod() {
    try (RRef<Brief> known = rpc.remote("worker1", Brief::new);
        RRef<Brief> late = rpc.remote("worker1", Brief::late)) {
      known.rpcSync(Brief::ownThread);
      Future<String> early = late.rpcAsync(Brief::ownThread);
      rpc.rpcSync("worker1", Brief::openGate);
      assertThat(early.await()).isEqualTo(VIRTUAL);
      assertThat(late.rpcSync(Brief::ownThread)).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void theEventLoopDoesNotAdoptReferences() {
    RRef<Brief> mine = rpc.rref(new Brief());
    rpc.rpcSync("worker1", Brief::threadForReference, mine);
    assertThat(rpc.rpcSync("worker1", Brief::threadForReference, mine)).isEqualTo(VIRTUAL);
  }

  @Test
  void theEventLoopDoesNotDecodeManyBytes() {
    rpc.rpcSync("worker1", Brief::threadFor, "a");
    assertThat(rpc.rpcSync("worker1", Brief::threadFor, "a")).isEqualTo(EVENT_LOOP);
    assertThat(rpc.rpcSync("worker1", Brief::threadFor, "a".repeat(100_000))).isEqualTo(VIRTUAL);
  }

  @Test
  void theEventLoopTakesLargeTensorsThatAreHandedOverAndWaitsForNoOthers() {
    Tensor large = Tensor.of(new float[100_000]);
    for (String worker : List.of("worker0", "worker1")) {
      rpc.rpcSync(worker, Brief::threadForTensor, large);
    }
    assertThat(rpc.rpcSync("worker0", Brief::threadForTensor, large)).isEqualTo(EVENT_LOOP);
    assertThat(rpc.rpcSync("worker1", Brief::threadForTensor, large)).isEqualTo(VIRTUAL);
  }

  @Test
  void aBriefMethodThatWaitsFailsWithTheCure() {
    rpc.rpcSync("worker1", Brief::callAndWait, "worker0");
    assertThatThrownBy(() -> rpc.rpcSync("worker1", Brief::callAndWait, "worker0"))
        .isInstanceOf(RemoteException.class)
        .hasMessageMatching(
            "worker1 failed in Brief.callAndWait: this would block \\S+; call rpcAsync here, or get"
                + " a virtual thread: a verticle by ThreadingModel.VIRTUAL_THREAD, a remote method"
                + " by @Remote without brief");
  }

  @Test
  void aBriefMethodMayCallOnAndReturnTheFuture() {
    rpc.rpcSync("worker1", Brief::callOn, "worker0");
    assertThat(rpc.rpcSync("worker1", Brief::callOn, "worker0"))
        .isEqualTo("event loop, then virtual");
  }

  @Test
  void whatFollowsAnAnswerRunsOnTheEventLoopOnlyIfTheCallSaysThatItIsBrief() {
    CallOptions brief = CallOptions.DEFAULT.goingOnBriefly();
    try (RRef<Brief> late = rpc.remote("worker1", Brief::late)) {
      Future<String> usual = late.rpcAsync(Brief::ownThread).map(there -> Brief.kind());
      Future<String> atOnce =
          late.with(brief).rpcAsync(Brief::ownThread).map(there -> Brief.kind());
      rpc.rpcSync("worker1", Brief::openGate);
      assertThat(usual.await()).isEqualTo(VIRTUAL);
      assertThat(atOnce.await()).isEqualTo(EVENT_LOOP);
    }
  }

  @Test
  void whatABriefMethodThrowsReachesTheCaller() {
    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", Brief::fail))
          .isInstanceOf(RemoteException.class)
          .hasMessage("worker1 failed in Brief.fail: no");
    }
  }
}
