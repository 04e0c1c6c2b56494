// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.io.StringReader;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G4: a call runs at most once, however often its message comes; G13: its error tells whether it
/// can have run.
@Tag("slow")
class AtMostOnceTest {
  private static final CallOptions RETRYING = CallOptions.DEFAULT.withRetry(Duration.ofMillis(20));

  private final MemoryWorld world = new MemoryWorld(2);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aRequestThatComesTwiceRunsOnce() {
    world.network().suffer(Fault.duplicate(1).ofKind("request"));
    for (int n = 1; n <= 20; n++) {
      assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(n);
    }
  }

  @Test
  void anAnswerThatComesTwiceIsTakenOnce() {
    world.network().suffer(Fault.duplicate(1).ofKind("response"));
    for (int n = 1; n <= 20; n++) {
      assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(n);
    }
  }

  @Test
  void aRetriedCallSurvivesLostRequestsAndAnswersAndRunsOnce() {
    world.network().suffer(Fault.drop(0.3));
    for (int n = 1; n <= 20; n++) {
      assertThat(rpc.with(RETRYING).rpcSync("worker1", Probe::count)).isEqualTo(n);
    }
  }

  @Test
  void aRetriedCallThatStillRunsIsNotStartedAgain() {
    Calls slow = rpc.with(RETRYING.withTimeout(Duration.ofMillis(300)));
    assertThatThrownBy(() -> slow.rpcSync("worker1", Probe::blockUntilCancelled))
        .isInstanceOf(RpcTimeoutException.class);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 0);
  }

  @Test
  void theAnswerOfAnAcknowledgedCallIsFetchedThoughItWasLost() {
    AtomicInteger answers = new AtomicInteger();
    Fault counted = Fault.delay(1, Duration.ZERO).ofKind("response").from("worker1");
    world.network().suffer(counted.where(each -> answers.incrementAndGet() > 0));
    Future<Void> call = rpc.with(RETRYING).rpcAsync("worker1", Probe::block);
    World.eventually(() -> answers.get() > 0); // it runs, so this says no more
    world.network().suffer(Fault.drop(1).ofKind("response").from("worker1"));
    Probe.unblockAt(world.worker(1));
    World.eventually(
        () -> world.network().history().stream().anyMatch(each -> each.startsWith("DROP")));
    world.network().heal();
    assertThat(World.await(call)).isNull();
  }

  @Test
  void anAnswerThatIsNotKeptIsAnHonestError() {
    Rpc callee = world.worker(1);
    Fault first = Fault.drop(1).ofKind("response").from("worker1");
    world.network().suffer(first.where(each -> callee.debugInfo().get("rpc.served_calls") > 0));
    Calls retrying = rpc.with(RETRYING);
    assertThatThrownBy(() -> retrying.rpcSync("worker1", Probe::floats, 2_000_000))
        .isInstanceOf(RemoteException.class)
        .hasMessage(
            "worker1 failed in Probe.floats: the method has run, but its answer has been"
                + " discarded");
  }

  @Test
  void aRequestThatComesAfterSeventyThousandOthersRunsOnce() {
    world.network().suffer(Fault.drop(1).calling("Probe.count"));
    Future<Integer> late = rpc.with(RETRYING).rpcAsync("worker1", Probe::count);
    for (int many = 0; many < 70; many++) {
      rpc.waitAll(
          Stream.generate(() -> rpc.rpcAsync("worker1", Probe::nothing)).limit(1_000).toList());
    }
    world.network().heal();
    assertThat(late.await()).isEqualTo(1);
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(2);
  }

  @Test
  void aCallWithoutRetryIsSentOnce() {
    world.network().suffer(Fault.drop(1).calling("Probe.count"));
    Calls hurried = rpc.with(CallOptions.timeout(Duration.ofMillis(200)));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::count))
        .isInstanceOf(RpcTimeoutException.class);
    world.network().heal();
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }

  @Test
  void errorsTellWhetherTheMethodCanHaveRun() {
    Calls hurried = rpc.with(CallOptions.timeout(Duration.ofMillis(50)));
    assertMayHaveRun(true, () -> rpc.rpcSync("worker1", Probe::fail, "no"));
    assertMayHaveRun(true, () -> hurried.rpcSync("worker1", Probe::blockUntilCancelled));
    assertMayHaveRun(false, () -> rpc.rpcSync("worker1", Probe::secret));
    assertMayHaveRun(false, () -> rpc.rpcSync("worker1", Probe::take, new StringReader("x")));
    assertMayHaveRun(false, () -> rpc.rpcSync("worker9", Probe::where));
    world.kill(1);
    assertMayHaveRun(false, () -> rpc.rpcSync("worker1", Probe::where));
  }

  private static void assertMayHaveRun(boolean expected, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(throwable(RpcException.class))
        .matches(error -> error.mayHaveRun() == expected, "mayHaveRun " + expected);
  }
}
