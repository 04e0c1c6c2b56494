// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// The settings that a user gave to a benchmark.
///
/// @param values values by [Setting#key]; unknown keys are ignored
public record GivenSettings(JsonObject values) {
  private static final int MOST_SEEDS = 1_000_000;

  /// Returns a setting for the duration of a benchmark, in minutes.
  public static Setting minutes(int standard) {
    return new Setting(
        "minutes", "N", new SettingType.Whole(1, 1440), standard, "duration in minutes");
  }

  /// Checks those of some settings that were given.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a value is invalid
  public void check(Setting... settings) {
    for (Setting setting : settings) {
      if (values.containsKey(setting.key())) {
        setting.check(setting.option(), values.getValue(setting.key()));
      }
    }
  }

  /// Returns a number of minutes, or the setting's default.
  public Duration duration(Setting minutes) {
    return Duration.ofMinutes(values.getInteger(minutes.key(), (Integer) minutes.standard()));
  }

  /// Returns the seed, or a random one.
  public long seed() {
    return values.getLong(
        Setting.SEED.key(), (long) ThreadLocalRandom.current().nextInt(MOST_SEEDS));
  }
}
