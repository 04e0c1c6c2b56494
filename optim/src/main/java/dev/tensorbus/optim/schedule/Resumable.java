// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Map;

/// A schedule whose progress can be saved and resumed.
public interface Resumable {
  /// Returns the state to resume from, by name.
  Map<String, Double> state();

  /// Restores a state.
  ///
  /// @throws IllegalArgumentException if the state comes from a different kind of schedule
  void load(Map<String, Double> state);
}
