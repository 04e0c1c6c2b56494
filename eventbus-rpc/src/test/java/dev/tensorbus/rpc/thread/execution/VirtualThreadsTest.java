// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class VirtualThreadsTest {
  @Test
  void anErrorOfAListenerIsItsOwnAndChangesNoResult() throws InterruptedException {
    CountDownLatch listening = new CountDownLatch(1);
    CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
    Future<String> result =
        Threads.system()
            .call(
                "listened",
                () -> {
                  Thread.currentThread()
                      .setUncaughtExceptionHandler((thread, error) -> uncaught.complete(error));
                  listening.await();
                  return "done";
                });
    IllegalArgumentException mine = new IllegalArgumentException("of the listener");
    result.onComplete(
        done -> {
          throw mine;
        });
    listening.countDown();
    assertThat(uncaught.join()).isSameAs(mine); // and no "Promise already completed"
    assertThat(result.result()).isEqualTo("done");
  }
}
