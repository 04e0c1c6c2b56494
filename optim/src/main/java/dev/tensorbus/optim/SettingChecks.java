// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.Locale;

/// Checks the settings of optimizers.
final class SettingChecks {
  private SettingChecks() {}

  /// Returns the name of an optimizer for error messages.
  static String name(OptimizerSpec spec) {
    return spec.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static void requireNotNegative(OptimizerSpec spec, String setting, double value) {
    requireFinite(spec, setting, value);
    require(value >= 0, spec, setting, value, "must not be negative");
  }

  static void requireFinite(OptimizerSpec spec, String setting, double value) {
    require(Double.isFinite(value), spec, setting, value, "must be a finite number");
  }

  /// Checks that a decay rate is in `[0, 1)`.
  static void requireShare(OptimizerSpec spec, String setting, double value) {
    require(value >= 0 && value < 1, spec, setting, value, "must be in [0, 1)");
  }

  static void require(
      boolean valid, OptimizerSpec spec, String setting, double value, String rule) {
    if (!valid) {
      throw new IllegalArgumentException(
          "%s: %s %s %s".formatted(name(spec), setting, value, rule));
    }
  }
}
