// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsideTest {
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
              isVirtual[0] = Aside.call(() -> Thread.currentThread().isVirtual());
            })
        .join();
    assertThat(isVirtual).containsExactly(false, true);
  }

  @Test
  void whatIsThrownThereIsThrownHere() {
    IllegalStateException refused = new IllegalStateException("the lane is closed");
    assertThatThrownBy(
            () ->
                Aside.call(
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);
  }

  @Test
  void anInterruptIsPassedOnAndKept() {
    CountDownLatch never = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    assertThat(Aside.call(() -> isInterrupted(never))).isTrue();
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
