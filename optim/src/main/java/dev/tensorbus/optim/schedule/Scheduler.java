// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// Leads groups of parameters through a [Schedule].
///
/// Not for several threads at once.
public final class Scheduler implements Resumable {
  private static final String EPOCH = "epoch";

  private final Schedule schedule;
  private final List<ParameterGroup<?>> groups;
  private final List<OptimizerSpec> initial;
  private long epoch;

  Scheduler(Schedule schedule, Collection<? extends ParameterGroup<?>> groups) {
    this.schedule = schedule;
    this.groups = List.copyOf(groups);
    this.initial = this.groups.stream().<OptimizerSpec>map(ParameterGroup::spec).toList();
    apply();
  }

  /// Begins the next epoch: after the steps of the one before.
  public void step() {
    epoch++;
    apply();
  }

  private void apply() {
    for (int i = 0; i < groups.size(); i++) {
      ParameterGroup<?> group = groups.get(i);
      group.set(schedule.settings(epoch, initial.get(i), group.spec()));
    }
  }

  /// The present epoch, from 0 on.
  public long epoch() {
    return epoch;
  }

  @Override
  public Map<String, Double> state() {
    return Map.of(EPOCH, (double) epoch);
  }

  @Override
  public void load(Map<String, Double> state) {
    epoch = (long) ScheduleChecks.get(state, EPOCH);
  }
}
