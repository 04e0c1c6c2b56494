// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Whom to kill, and when. The world determines the rest: which server leads, for example.
///
/// @param kills the kills, in order of time
public record KillPlan(List<Kill> kills) {
  /// The role of the process that is killed.
  public enum Role {
    /// A server.
    SERVER,
    /// The server that leads the agreement of the servers.
    LEADER,
    /// A process of trainers.
    TRAINER
  }

  /// One kill.
  ///
  /// @param at the time since the start
  /// @param role the role that is killed
  /// @param turn selects a process of this role: the remainder by their number
  public record Kill(Duration at, Role role, int turn) {
    /// Selects one of the processes of the role.
    public String choose(List<String> processes) {
      return processes.get(turn % processes.size());
    }
  }

  private static final int TURNS = 1 << 20;

  /// Copies the list.
  public KillPlan {
    kills = List.copyOf(kills);
  }

  /// Returns a plan of kills at regular times; equal arguments give equal plans.
  ///
  /// @param period the time from one kill to the next
  /// @param jitter how much earlier or later a kill may be, as a share of the period
  /// @param total the time after which nobody is killed
  public static KillPlan every(Duration period, double jitter, Duration total, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Kill> kills = new ArrayList<>();
    for (int i = 1; period.multipliedBy(i + 1).compareTo(total) <= 0; i++) {
      double shift = (2 * random.nextDouble() - 1) * jitter * period.toMillis();
      Role role = Role.values()[random.nextInt(Role.values().length)];
      kills.add(
          new Kill(period.multipliedBy(i).plusMillis((long) shift), role, random.nextInt(TURNS)));
    }
    return new KillPlan(kills);
  }
}
