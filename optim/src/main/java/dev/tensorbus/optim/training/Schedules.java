// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.schedule.PlateauScheduler;
import dev.tensorbus.optim.schedule.ReduceLrOnPlateau;
import dev.tensorbus.optim.schedule.Resumable;
import dev.tensorbus.optim.schedule.Schedule;
import dev.tensorbus.optim.schedule.Scheduler;
import java.util.ArrayList;
import java.util.List;

/// The schedules of a training run, grouped by what advances them: an epoch, a step, or a measure.
final class Schedules {
  private final List<? extends ParameterGroup<?>> groups;
  private final List<Scheduler> byEpoch = new ArrayList<>();
  private final List<Scheduler> byStep = new ArrayList<>();
  private final List<ReduceLrOnPlateau> plateaus = new ArrayList<>();
  private final List<PlateauScheduler> byMeasure = new ArrayList<>();
  private final List<Resumable> all = new ArrayList<>();

  /// @param groups the parameter groups that the schedules change
  Schedules(List<? extends ParameterGroup<?>> groups) {
    this.groups = groups;
  }

  void addByEpoch(Schedule schedule) {
    byEpoch.add(added(schedule.over(groups)));
  }

  void addByEpoch(Schedule schedule, ParameterGroup<?> group) {
    byEpoch.add(added(schedule.over(own(group))));
  }

  void addByStep(Schedule schedule) {
    byStep.add(added(schedule.over(groups)));
  }

  void addByStep(Schedule schedule, ParameterGroup<?> group) {
    byStep.add(added(schedule.over(own(group))));
  }

  void addByMeasure(ReduceLrOnPlateau schedule) {
    plateaus.add(schedule);
    byMeasure.add(added(schedule.over(groups)));
  }

  private List<ParameterGroup<?>> own(ParameterGroup<?> group) {
    if (!groups.contains(group)) {
      throw new IllegalArgumentException(
          "schedule: the group is not one of this trainer; pass one of Trainer.groups()");
    }
    return List.of(group);
  }

  private <T extends Resumable> T added(T scheduler) {
    all.add(scheduler);
    return scheduler;
  }

  /// Checks that each plateau schedule maximizes if and only if the measure does.
  ///
  /// @throws IllegalArgumentException if a plateau schedule and the measure differ
  void requireFit(Measure measure) {
    for (ReduceLrOnPlateau plateau : plateaus) {
      if (plateau.maximize() != measure.maximize()) {
        throw new IllegalArgumentException(
            "schedule: epochs are compared by the %s %s, but the plateau schedule does the"
                    .formatted(measure.maximize() ? "greatest" : "smallest", measure.name())
                + " opposite; call its withMaximize("
                + measure.maximize()
                + ")");
      }
    }
  }

  /// Returns the current learning rate of the first group.
  double learningRate() {
    return groups.getFirst().learningRate();
  }

  /// Advances the schedules that are bound to steps.
  void endStep() {
    byStep.forEach(Scheduler::step);
  }

  /// Advances the schedules that are bound to epochs or to the measure.
  ///
  /// @param measure the epoch's value of the measure
  void endEpoch(double measure) {
    byEpoch.forEach(Scheduler::step);
    byMeasure.forEach(scheduler -> scheduler.step(measure));
  }

  /// Advances the schedules over an epoch whose measure is unknown.
  ///
  /// @throws IllegalStateException if one of them depends on the measure
  void skipEpoch() {
    if (!byMeasure.isEmpty()) {
      throw new IllegalStateException(
          "schedule: a plateau schedule needs the measure of each epoch, but this trainer was not"
              + " there in some; use another schedule");
    }
    byEpoch.forEach(Scheduler::step);
  }

  /// Adds all schedules to a checkpoint, in the order in which they were added here.
  void addTo(Checkpoint checkpoint) {
    for (int i = 0; i < all.size(); i++) {
      checkpoint.withProgress("schedule" + (i + 1), all.get(i));
    }
  }
}
