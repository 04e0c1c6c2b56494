// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import java.util.Locale;

/// What happens to a world that has lost a worker for good: `--on-loss`.
public enum OnLoss {
  /// The run fails. The default of `tensorbus run`, as of torchrun.
  STOP,

  /// The run continues as long as rank 0 and another worker are alive, and ends as they do. The
  /// default of `tensorbus train`, whose programs can lose a trainer.
  CONTINUE;

  /// Returns the value with this label.
  public static OnLoss of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
