// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import java.util.Locale;

/// What happens to a world that has lost a worker for good: `--on-loss`.
public enum OnLoss {
  /// The run fails. This is the default of `tensorbus run`, as it is of torchrun.
  STOP,

  /// The run continues as long as rank 0 and at least one other worker are alive or have finished.
  /// This is the default of `tensorbus train`, whose programs can lose a trainer.
  CONTINUE;

  /// Returns the value with this label.
  public static OnLoss of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
