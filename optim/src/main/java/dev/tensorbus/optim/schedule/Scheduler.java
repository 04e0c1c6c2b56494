// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;
import java.util.Map;

/// Applies a [Schedule] to parameter groups.
///
/// Not thread-safe.
public final class Scheduler implements Resumable {
  private static final String EPOCH = "epoch";

  private final Schedule schedule;
  private final GroupRates rates;
  private long epoch;

  Scheduler(Schedule schedule, Collection<? extends ParameterGroup<?>> groups) {
    this.schedule = schedule;
    this.rates = new GroupRates(groups);
    apply();
  }

  /// Starts the next epoch. Call it after the steps of the current epoch.
  public void step() {
    epoch++;
    apply();
  }

  private void apply() {
    for (ParameterGroup<?> group : rates.groups()) {
      group.set(schedule.settings(epoch, GroupRates.initial(group), group.spec()));
    }
  }

  /// Returns the number of the current epoch, from 0.
  public long epoch() {
    return epoch;
  }

  @Override
  public Map<String, Double> state() {
    return rates.state(Map.of(EPOCH, (double) epoch));
  }

  @Override
  public void load(Map<String, Double> state) {
    double loaded = ScheduleChecks.get(state, EPOCH);
    rates.load(state);
    epoch = (long) loaded;
  }
}
