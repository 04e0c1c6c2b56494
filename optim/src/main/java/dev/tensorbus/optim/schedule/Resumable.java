// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Map;

/// A schedule that knows how far it is, so that a run can be stopped and resumed.
public interface Resumable {
  /// The numbers to go on from, by name.
  Map<String, Double> state();

  /// Goes on from there.
  ///
  /// @throws IllegalArgumentException if this is not what [#state] of such a one gave
  void load(Map<String, Double> state);
}
