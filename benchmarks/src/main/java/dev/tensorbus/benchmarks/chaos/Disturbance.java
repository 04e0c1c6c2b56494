// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.time.Duration;

/// One thing that happens to a world from outside.
sealed interface Disturbance {
  /// SIGKILL.
  record Kill(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "kill " + rank;
    }
  }

  /// The command of a killed rank runs again.
  record Restart(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "restart " + rank;
    }
  }

  /// SIGSTOP.
  record Freeze(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "freeze " + rank;
    }
  }

  /// SIGCONT.
  record Thaw(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "thaw " + rank;
    }
  }

  /// The wall clock of one process changes.
  record Step(int rank, Duration change) implements Disturbance {
    @Override
    public String toString() {
      return "clock " + rank + " by " + change.toSeconds() + " s";
    }
  }

  /// Nothing passes between two ranks any more.
  record Cut(int one, int other) implements Disturbance {
    @Override
    public String toString() {
      return "cut " + one + "-" + other;
    }
  }

  /// All passes again.
  record Heal(int one, int other) implements Disturbance {
    @Override
    public String toString() {
      return "heal " + one + "-" + other;
    }
  }
}
