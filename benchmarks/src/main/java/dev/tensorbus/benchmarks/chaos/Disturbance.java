// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.time.Duration;

/// A fault that is injected into a world.
sealed interface Disturbance {
  /// Kills a worker with SIGKILL.
  record Kill(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "kill " + rank;
    }
  }

  /// Starts a killed worker again.
  record Restart(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "restart " + rank;
    }
  }

  /// Freezes a worker with SIGSTOP.
  record Freeze(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "freeze " + rank;
    }
  }

  /// Resumes a frozen worker with SIGCONT.
  record Thaw(int rank) implements Disturbance {
    @Override
    public String toString() {
      return "thaw " + rank;
    }
  }

  /// Changes the wall clock of a worker.
  record Step(int rank, Duration change) implements Disturbance {
    @Override
    public String toString() {
      return "clock " + rank + " by " + change.toSeconds() + " s";
    }
  }

  /// Cuts the network between two workers.
  record Cut(int one, int other) implements Disturbance {
    @Override
    public String toString() {
      return "cut " + one + "-" + other;
    }
  }

  /// Restores the network between two workers.
  record Heal(int one, int other) implements Disturbance {
    @Override
    public String toString() {
      return "heal " + one + "-" + other;
    }
  }
}
