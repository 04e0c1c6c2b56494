// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.MomentumSpec;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The parameter groups that a scheduler changes. The scheduler saves and restores their learning
/// rates and momenta itself, so it does not matter when, or whether, the optimizer is restored.
final class GroupRates {
  private static final String INITIAL = "initial";
  private static final String RATE = "rate";
  private static final String MOMENTUM = "momentum";

  private final List<ParameterGroup<?>> groups;

  /// Records the current settings as the initial settings of groups that had no schedule before.
  GroupRates(Collection<? extends ParameterGroup<?>> groups) {
    this.groups = List.copyOf(groups);
    for (ParameterGroup<?> group : this.groups) {
      if (group.initial() == null) {
        group.setInitial(group.spec());
      }
    }
  }

  List<ParameterGroup<?>> groups() {
    return groups;
  }

  static OptimizerSpec initial(ParameterGroup<?> group) {
    @Nullable OptimizerSpec initial = group.initial();
    return initial == null ? group.spec() : initial;
  }

  /// Returns learning rates and momenta by name, together with the scheduler's other state.
  Map<String, Double> state(Map<String, Double> others) {
    Map<String, Double> state = new TreeMap<>(others);
    for (int i = 0; i < groups.size(); i++) {
      ParameterGroup<?> group = groups.get(i);
      state.put(INITIAL + i, initial(group).learningRate());
      state.put(RATE + i, group.learningRate());
      if (group.spec() instanceof MomentumSpec moving) {
        state.put(MOMENTUM + i, moving.momentum());
      }
    }
    return state;
  }

  void load(Map<String, Double> state) {
    state(Map.of()).keySet().forEach(name -> ScheduleChecks.get(state, name));
    for (int i = 0; i < groups.size(); i++) {
      ParameterGroup<?> group = groups.get(i);
      double initial = ScheduleChecks.get(state, INITIAL + i);
      group.setInitial(initial(group).withLearningRate(initial));
      OptimizerSpec present =
          group.spec() instanceof MomentumSpec moving
              ? moving.withMomentum(ScheduleChecks.get(state, MOMENTUM + i))
              : group.spec();
      group.set(present.withLearningRate(ScheduleChecks.get(state, RATE + i)));
    }
  }
}
