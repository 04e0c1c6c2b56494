// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.process.ProcessHosts;
import dev.tensorbus.rpc.wire.BusAddresses;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G14: calls that wait for room cost next to nothing, in either process.
@Tag("long")
class WaitingCallsIT {
  private static final int CALLS = 10_000;
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /// Enough for heartbeats and probes.
  private static final int MOST_MESSAGES = 50;

  private final AtomicLong messages = new AtomicLong();
  private ProcessHosts hosts;
  private Rpc caller;
  private Rpc callee;

  @BeforeEach
  void open() {
    hosts = new ProcessHosts(1);
    EventBus bus = hosts.here().eventBus();
    bus.addOutboundInterceptor(counter());
    bus.addInboundInterceptor(counter());
    caller = open(0);
    callee = open(1);
    caller.ready().await();
  }

  private Rpc open(int rank) {
    RpcOptions options = RpcOptions.worldSize(2).withRank(rank).withTimeout(World.SILENCE);
    return hosts.hosts().get(rank).open("worker" + rank, options.withMaxCalls(1)).await();
  }

  private Handler<DeliveryContext<Object>> counter() {
    return delivery -> {
      if (BusAddresses.workerAt(delivery.message().address()) != null) {
        messages.incrementAndGet();
      }
      delivery.next();
    };
  }

  @AfterEach
  void close() {
    caller.leave().await();
    hosts.close();
  }

  @Test
  void tenThousandCallsWaitInOrderOfArrivalAndSendNothing() {
    wait(CallOptions.DEFAULT);
  }

  @Test
  void tenThousandCallsThatMayBeRepeatedWaitInOrderOfArrivalAndSendNextToNothing() {
    wait(CallOptions.DEFAULT.withRetry(Duration.ofMillis(200)));
  }

  private void wait(CallOptions options) {
    Future<Void> blocked = caller.rpcAsync("worker1", Probe::block);
    Calls patient = caller.with(options);
    List<Future<Integer>> waiting =
        Stream.generate(() -> patient.rpcAsync("worker1", Probe::count)).limit(CALLS).toList();
    World.eventually(() -> callee.debugInfo().get("rpc.waiting_calls") == CALLS);
    World.eventually(this::hasQuietWindow); // with the rest of the burst, such as compilation
    assertThat(hasQuietWindow()).isTrue();
    caller.cancel(blocked);
    List<Integer> inOrder = IntStream.rangeClosed(1, CALLS).boxed().toList();
    assertThat(caller.waitAll(waiting)).isEqualTo(inOrder);
  }

  /// Watches both processes for a while.
  private boolean hasQuietWindow() {
    long sent = messages.get();
    Duration here = cpuTimeHere();
    Duration there = hosts.jvm(0).cpuTime();
    long end = System.nanoTime() + WINDOW.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    sent = messages.get() - sent;
    double mine = percent(cpuTimeHere().minus(here));
    double theirs = percent(hosts.jvm(0).cpuTime().minus(there));
    IO.println(
        "%d messages; the caller took %.1f %% of a core, the callee %.1f %%"
            .formatted(sent, mine, theirs));
    return sent <= MOST_MESSAGES;
  }

  private static Duration cpuTimeHere() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static double percent(Duration cpuTime) {
    return 100.0 * cpuTime.toNanos() / WINDOW.toNanos();
  }
}
