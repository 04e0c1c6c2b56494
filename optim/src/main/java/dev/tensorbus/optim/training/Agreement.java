// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks that the trainers of all copies of a model have the same plan. Every trainer compares the
/// same values, so either all of them fail or none. If only some failed, the others would wait for
/// steps that never happen.
final class Agreement {
  /// The key under which each trainer reports the method that it has called.
  static final String CALL = "next call";

  private Agreement() {}

  /// @param byWorker progress and settings of each trainer, by worker name
  /// @throws IllegalStateException if two trainers differ
  static void require(Map<String, Map<String, String>> byWorker) {
    Set<String> settings = new TreeSet<>();
    byWorker.values().forEach(one -> settings.addAll(one.keySet()));
    List<String> differences =
        (differs(CALL, byWorker) ? Stream.of(CALL) : settings.stream())
            .filter(setting -> differs(setting, byWorker))
            .map(setting -> setting + ": " + values(setting, byWorker))
            .toList();
    if (!differences.isEmpty()) {
      throw new IllegalStateException(
          "trainers of copies differ in "
              + String.join("; ", differences)
              + "; use the same settings and number of batches for all, and call resume on all or"
              + " none");
    }
  }

  private static boolean differs(String setting, Map<String, Map<String, String>> byWorker) {
    return byWorker.values().stream().map(one -> one.get(setting)).distinct().count() > 1;
  }

  private static String values(String setting, Map<String, Map<String, String>> byWorker) {
    return byWorker.entrySet().stream()
        .map(one -> one.getKey() + " " + one.getValue().get(setting))
        .collect(Collectors.joining(", "));
  }

  /// Checks that the first copy's trainer, which writes the checkpoints, has a folder for them.
  ///
  /// @param byWorker whether each trainer has a folder, the first copy first
  /// @throws IllegalStateException if only other trainers have a folder
  static void requireWriter(Map<String, Boolean> byWorker) {
    Map.Entry<String, Boolean> first = byWorker.entrySet().iterator().next();
    if (!first.getValue() && byWorker.containsValue(true)) {
      throw new IllegalStateException(
          "trainers of copies: %s writes the checkpoints but has no folder; call withCheckpoints there"
              .formatted(first.getKey()));
    }
  }

  /// Checks that no trainer reported a problem.
  ///
  /// @throws IllegalStateException with the first problem as its message
  static void requireNone(Map<String, String> problems) {
    problems.values().stream()
        .filter(problem -> !problem.isEmpty())
        .findFirst()
        .ifPresent(
            problem -> {
              throw new IllegalStateException(problem);
            });
  }
}
