// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlatformThreadsTest {
  @AfterEach
  void forgetInterrupts() {
    Thread.interrupted();
  }

  @Test
  void worksOnAThreadOfTheSystems() throws InterruptedException {
    boolean[] isVirtual = {true, false};
    Thread.startVirtualThread(
            () -> {
              isVirtual[1] = Thread.currentThread().isVirtual();
              isVirtual[0] = PlatformThreads.call("test", () -> Thread.currentThread().isVirtual());
            })
        .join();
    assertThat(isVirtual).containsExactly(false, true);
  }

  @Test
  void whatIsThrownThereIsThrownHere() {
    IllegalStateException refused = new IllegalStateException("the lane is closed");
    assertThatThrownBy(
            () ->
                PlatformThreads.call(
                    "test",
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);
  }

  @Test
  void anInterruptIsPassedOnAndKept() {
    CountDownLatch never = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    assertThat(PlatformThreads.call("test", () -> isInterrupted(never))).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  private static boolean isInterrupted(CountDownLatch never) {
    try {
      never.await();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
