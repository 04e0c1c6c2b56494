// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Map;

/// Checks settings and saved states of schedules.
final class ScheduleChecks {
  private ScheduleChecks() {}

  static double get(Map<String, Double> state, String name) {
    Double value = state.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "schedule: the state lacks \"%s\", it has %s; load the state of the same kind of schedule"
              .formatted(name, state.keySet()));
    }
    return value;
  }

  static void require(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message);
    }
  }
}
