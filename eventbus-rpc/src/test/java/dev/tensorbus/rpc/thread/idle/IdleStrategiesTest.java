// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The strategies of `park` never spin.
class IdleStrategiesTest {
  private static final int MANY = 1_000;
  private static final FunctionName FUNCTION = new FunctionName("a class", "a method");

  private final IdleStrategies park = new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM);

  @Test
  void aParkingEventLoopIsNeverKeptAwake() {
    Queue<Runnable> due = new ArrayDeque<>();
    IdleStrategy idle = park.forEventLoop(due::add);
    for (int i = 0; i < MANY; i++) {
      idle.reset();
      idle.idle();
    }
    assertThat(due).isEmpty();
  }

  @Test
  void aParkingReaderReadsTheConnectionItself() throws IOException {
    try (SocketChannel channel = SocketChannel.open()) {
      assertThat(park.channelOf(channel)).isSameAs(channel);
    }
  }

  /// A spinning thread would ask the future whether it is complete.
  @Test
  void aParkingThreadDoesNotLookForItsAnswer() {
    Future<?> unseen =
        (Future<?>)
            Proxy.newProxyInstance(
                Future.class.getClassLoader(),
                new Class<?>[] {Future.class},
                (self, method, arguments) -> {
                  throw new AssertionError("looked at its answer by " + method.getName());
                });
    SpinThenPark parking = park.forAnswers();
    for (int i = 0; i < MANY; i++) {
      assertThat(parking.await(FUNCTION, unseen, () -> "here")).isEqualTo("here");
    }
  }

  @Test
  void aParkingThreadGetsItsAnswer() {
    Promise<String> answer = Promise.promise();
    Thread.startVirtualThread(() -> answer.complete("here"));
    assertThat(park.forAnswers().await(FUNCTION, () -> 0L, answer.future())).isEqualTo("here");
  }

  @Test
  void aSpinningThreadGetsItsAnswer() {
    SpinThenPark adaptive = new IdleStrategies(IdleMode.ADAPTIVE, NanoClock.SYSTEM).forAnswers();
    for (int i = 0; i < MANY; i++) {
      assertThat(adaptive.await(FUNCTION, () -> 0L, Future.succeededFuture(i))).isEqualTo(i);
    }
  }

  @Test
  void aThreadThatWaitsForAnotherProcessParksFromTheFirstTime() {
    IdleStrategy idle = park.forOtherProcess();
    long start = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      idle.idle(0);
    }
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(100));
  }
}
