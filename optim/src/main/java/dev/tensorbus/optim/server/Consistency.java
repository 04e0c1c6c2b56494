// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How the pushes of several trainers become steps of a model, and how far a trainer may run ahead
/// of the others. [Clocks] applies it.
///
/// Its text, such as `ssp:4`, names it in settings.
public sealed interface Consistency {
  /// Describes all texts, to complete "expected …".
  String TEXTS = "bsp, bsp:B (B backup workers), ssp:T (staleness T) or async";

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
    public boolean isPossibleWith(int trainers) {
      return backups == 0 || backups < trainers;
    }

    @Override
    public String toString() {
      return backups == 0 ? "bsp" : "bsp:" + backups;
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
    public String toString() {
      return "ssp:" + staleness;
    }
  }

  /// Asynchronous parallel: each push is a step, and no trainer waits for another.
  record Async() implements Consistency {
    @Override
    public String toString() {
      return "async";
    }
  }

  /// Returns the consistency with this text, which is one of [#TEXTS].
  ///
  /// @throws IllegalArgumentException if it is not
  static Consistency parse(String text) {
    Matcher match =
        Pattern.compile("bsp(?::(?<backups>\\d{1,9}))?|ssp:(?<staleness>\\d{1,9})|async")
            .matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("consistency \"%s\"; expected %s".formatted(text, TEXTS));
    }
    String staleness = match.group("staleness");
    String backups = match.group("backups");
    if (staleness != null) {
      return new Ssp(Integer.parseInt(staleness));
    }
    return text.equals("async")
        ? new Async()
        : new Bsp(backups == null ? 0 : Integer.parseInt(backups));
  }

  /// Returns whether it suits this number of trainers: a step must wait for at least one of them.
  default boolean isPossibleWith(int trainers) {
    return true;
  }

  private static void requireNonNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " " + value + "; expected 0 or more");
    }
  }
}
