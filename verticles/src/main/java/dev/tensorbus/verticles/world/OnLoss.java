// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import java.util.Locale;

/// What becomes of a world that has lost a worker for good: `--on-loss`.
public enum OnLoss {
  /// The run ends, and fails. The default of `tensorbus run`, as it is of torchrun.
  STOP,

  /// The others go on while rank 0 and another worker are there, and the run ends as theirs does.
  /// The default of `tensorbus train`, whose programs can do without a trainer.
  CONTINUE;

  /// The value of this label.
  public static OnLoss of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
