// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import java.time.Duration;

/// Ends a JVM that was told to end, if a clean stop takes too long: Vert.x itself waits up to two
/// minutes.
final class LastResort {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private volatile int exitCode = Failure.INTERRUPTED;
  private volatile boolean isStopping;

  private LastResort() {}

  static LastResort install() {
    LastResort lastResort = new LastResort();
    Runtime.getRuntime().addShutdownHook(new Thread(lastResort::beginCountdown));
    return lastResort;
  }

  /// Whether the JVM was told to end; what fails from then on is no news.
  boolean isStopping() {
    return isStopping;
  }

  /// The exit code that the JVM would end with.
  void exitCode(int code) {
    exitCode = code;
  }

  /// A daemon runs on while the JVM waits for its other hooks.
  private void beginCountdown() {
    isStopping = true;
    Thread.ofPlatform().daemon().name("last-resort").start(this::haltLater);
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
