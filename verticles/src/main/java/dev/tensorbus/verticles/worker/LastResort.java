// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.rpc.thread.SystemThreads;
import dev.tensorbus.rpc.thread.Threads;
import java.time.Duration;

/// Halts a JVM whose shutdown takes too long: Vert.x may wait for up to two minutes.
final class LastResort {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private volatile int exitCode = Failure.INTERRUPTED;
  private volatile boolean isStopping;

  private LastResort() {}

  static LastResort install() {
    LastResort lastResort = new LastResort();
    SystemThreads.atExit("begin-countdown", lastResort::beginCountdown);
    return lastResort;
  }

  /// Returns whether the JVM is shutting down; failures during the shutdown are not reported.
  boolean isStopping() {
    return isStopping;
  }

  /// Sets the exit code to halt with.
  void exitCode(int code) {
    exitCode = code;
  }

  /// Runs as a shutdown hook. The daemon thread keeps running while the JVM waits for other hooks.
  private void beginCountdown() {
    isStopping = true;
    Threads.system().startPlatform("last-resort", this::haltLater);
  }

  private void haltLater() {
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
