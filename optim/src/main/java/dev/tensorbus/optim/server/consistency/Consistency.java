// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.consistency;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How the pushes of several trainers become steps of a model, and how far a trainer may run ahead
/// of the others. [Clocks] applies it.
///
/// Its text, such as `ssp:4`, names it in settings.
public sealed interface Consistency {
  /// Describes all texts, to complete "expected …".
  String TEXTS =
      "bsp, bsp:B (B backup workers), quorum:K:MSms (K pushes and a grace time in milliseconds),"
          + " ssp:T (staleness T) or async";

  /// Bulk synchronous parallel (Valiant, "A Bridging Model for Parallel Computation", 1990), with
  /// backup workers (Chen et al., "Revisiting Distributed Synchronous SGD", 2016): a step combines
  /// one push of each trainer, but does not wait for the slowest `backups` of them. Their pushes
  /// arrive after the step and are dropped.
  ///
  /// @param backups the number of trainers that a step does not wait for; at least 0
  record Bsp(int backups) implements Consistency {
    /// Checks the number.
    ///
    /// @throws IllegalArgumentException if the number is negative
    public Bsp {
      requireNonNegative("backups", backups);
    }

    @Override
    public int leastTrainers() {
      return backups == 0 ? 0 : backups + 1;
    }

    @Override
    public boolean waitsForAll() {
      return backups == 0;
    }

    @Override
    public String toString() {
      return backups == 0 ? "bsp" : "bsp:" + backups;
    }
  }

  /// Bulk synchronous parallel without waiting for everyone: a step combines the pushes that have
  /// arrived when `grace` has passed since the arrival of the `contributions`-th, or those of all
  /// trainers if they arrive earlier. Later pushes are dropped.
  ///
  /// @param contributions the number of pushes that a step needs, at least 1. If fewer trainers
  ///     remain, it needs the push of each
  /// @param grace how long a step waits for further pushes; may be zero
  record Quorum(int contributions, Duration grace) implements Consistency {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a step needs no push, or the time is negative
    public Quorum {
      if (contributions < 1) {
        throw new IllegalArgumentException(
            "a quorum of %d with a grace time of %d ms; expected a quorum of 1 or more"
                .formatted(contributions, grace.toMillis()));
      }
      if (grace.isNegative()) {
        throw new IllegalArgumentException("grace " + grace + "; expected no negative time");
      }
    }

    @Override
    public int leastTrainers() {
      return contributions;
    }

    @Override
    public String toString() {
      return "quorum:%d:%dms".formatted(contributions, grace.toMillis());
    }
  }

  /// Stale synchronous parallel (Ho et al., "More Effective Distributed ML via a Stale Synchronous
  /// Parallel Parameter Server", NIPS 2013): each push is a step. A trainer continues while it is
  /// at most `staleness` pushes ahead of the slowest one.
  ///
  /// @param staleness the maximum difference between the numbers of pushes; at least 0
  record Ssp(int staleness) implements Consistency {
    /// Checks the number.
    ///
    /// @throws IllegalArgumentException if the number is negative
    public Ssp {
      requireNonNegative("staleness", staleness);
    }

    @Override
    public boolean waitsForAll() {
      return true;
    }

    @Override
    public boolean isStale() {
      return staleness > 0;
    }

    @Override
    public String toString() {
      return "ssp:" + staleness;
    }
  }

  /// Asynchronous parallel: each push is a step, and no trainer waits for another.
  record Async() implements Consistency {
    @Override
    public boolean isStale() {
      return true;
    }

    @Override
    public String toString() {
      return "async";
    }
  }

  /// Returns the consistency with this text, which is one of [#TEXTS].
  ///
  /// @throws IllegalArgumentException if it is not
  static Consistency parse(String text) {
    Matcher number = Pattern.compile("\\d{1,9}").matcher(text);
    int[] numbers = number.results().mapToInt(found -> Integer.parseInt(found.group())).toArray();
    return switch (number.replaceAll("0")) { // the form: each number is 0
      case "bsp" -> new Bsp(0);
      case "bsp:0" -> new Bsp(numbers[0]);
      case "quorum:0:0ms" -> new Quorum(numbers[0], Duration.ofMillis(numbers[1]));
      case "ssp:0" -> new Ssp(numbers[0]);
      case "async" -> new Async();
      default ->
          throw new IllegalArgumentException(
              "consistency \"%s\"; expected %s".formatted(text, TEXTS));
    };
  }

  /// Returns the number of trainers that it needs: a step combines at least one push.
  default int leastTrainers() {
    return 0;
  }

  /// Checks the number of trainers.
  ///
  /// @throws IllegalArgumentException if there are fewer than it needs
  default void requireTrainers(int trainers) {
    if (trainers < leastTrainers()) {
      throw new IllegalArgumentException(
          "%s with %d trainers; expected at least %d".formatted(this, trainers, leastTrainers()));
    }
  }

  /// Returns whether the slowest trainer, whichever it is, holds up the others.
  default boolean waitsForAll() {
    return false;
  }

  /// Returns whether a trainer may be some pushes ahead of the others.
  default boolean isStale() {
    return false;
  }

  private static void requireNonNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " " + value + "; expected 0 or more");
    }
  }
}
