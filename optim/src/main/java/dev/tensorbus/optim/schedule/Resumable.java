// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Map;

/// An object, such as a schedule, whose progress can be saved and resumed.
public interface Resumable {
  /// Returns the state to resume from: named values.
  Map<String, Double> state();

  /// Restores a state.
  ///
  /// @throws IllegalArgumentException if the state comes from a different kind of object
  void load(Map<String, Double> state);
}
