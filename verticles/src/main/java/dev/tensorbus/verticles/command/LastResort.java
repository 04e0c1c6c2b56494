// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import java.time.Duration;

/// Ends a JVM that a signal or an error has told to end, if a clean stop takes too long: Vert.x
/// itself waits up to two minutes.
final class LastResort {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private LastResort() {}

  static void install() {
    Runtime.getRuntime().addShutdownHook(new Thread(LastResort::beginCountdown));
  }

  /// A daemon runs on while the JVM waits for its other hooks.
  private static void beginCountdown() {
    Thread.ofPlatform().daemon().name("last-resort").start(LastResort::haltLater);
  }

  private static void haltLater() {
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(Failure.INTERRUPTED);
  }
}
