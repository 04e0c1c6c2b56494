// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Threads have names, keep no JVM alive, and do not fail in silence.
class ThreadsTest {
  private static final Logger LOG = Logger.getLogger(SystemThreads.class.getName());

  @Test
  void threadsAreNamedAndKeepNoJvmAlive() throws InterruptedException {
    Thread virtual = Threads.system().start("waits", () -> {});
    Thread platform = Threads.system().startPlatform("computes", () -> {});
    Thread executors = SystemThreads.factory("of an executor").newThread(() -> {});
    assertThat(virtual.isVirtual()).isTrue();
    assertThat(platform.isVirtual()).isFalse();
    assertThat(virtual.getName()).isEqualTo("waits");
    assertThat(platform.getName()).isEqualTo("computes");
    assertThat(executors.getName()).isEqualTo("of an executor");
    assertThat(virtual.isDaemon() && platform.isDaemon() && executors.isDaemon()).isTrue();
    virtual.join();
    platform.join();
  }

  @Test
  void whatAThreadThrowsIsLogged() {
    CompletableFuture<LogRecord> logged = new CompletableFuture<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord event) {
            if (event.getMessage().contains("that fails")) {
              logged.complete(event);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    LOG.addHandler(handler);
    try {
      IllegalStateException error = new IllegalStateException("no more");
      Threads.system()
          .start(
              "that fails",
              () -> {
                throw error;
              });
      assertThat(logged.join().getThrown()).isSameAs(error);
      assertThat(logged.join().getMessage())
          .isEqualTo("thread that fails ended by java.lang.IllegalStateException: no more");
    } finally {
      LOG.removeHandler(handler);
    }
  }
}
