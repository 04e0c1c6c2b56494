// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;
import java.util.Map;

/// Reduces learning rates according to [ReduceLrOnPlateau].
///
/// Not thread-safe.
public final class PlateauScheduler implements Resumable {
  private final ReduceLrOnPlateau settings;
  private final GroupRates rates;
  private double best;
  private long badEpochs;
  private long cooldown;

  PlateauScheduler(ReduceLrOnPlateau settings, Collection<? extends ParameterGroup<?>> groups) {
    this.settings = settings;
    this.rates = new GroupRates(groups);
    this.best = settings.worst();
  }

  /// Records the measure of an epoch, and reduces the rates if the measure has stopped improving.
  public void step(double measure) {
    if (settings.isBetter(measure, best)) {
      best = measure;
      badEpochs = 0;
    } else {
      badEpochs++;
    }
    if (cooldown > 0) {
      cooldown--;
      badEpochs = 0;
    }
    if (badEpochs > settings.patience()) {
      rates.groups().forEach(this::reduce);
      cooldown = settings.cooldown();
      badEpochs = 0;
    }
  }

  private void reduce(ParameterGroup<?> group) {
    double rate = group.learningRate();
    double reduced = Math.max(rate * settings.factor(), settings.minimum());
    if (rate - reduced > settings.eps()) {
      group.setLearningRate(reduced);
    }
  }

  @Override
  public Map<String, Double> state() {
    return rates.state(
        Map.of("best", best, "badEpochs", (double) badEpochs, "cooldown", (double) cooldown));
  }

  @Override
  public void load(Map<String, Double> state) {
    double loadedBest = ScheduleChecks.get(state, "best");
    double loadedBadEpochs = ScheduleChecks.get(state, "badEpochs");
    double loadedCooldown = ScheduleChecks.get(state, "cooldown");
    rates.load(state);
    best = loadedBest;
    badEpochs = (long) loadedBadEpochs;
    cooldown = (long) loadedCooldown;
  }
}
