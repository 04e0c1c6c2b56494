// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.server.KillPlan.Kill;
import dev.tensorbus.benchmarks.server.KillPlan.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Carries out a [KillPlan]. With one backup the servers survive one death at a time, so a kill
/// waits until each parameter has its copies again, and until all workers are back. A killed
/// process is started again a little later, as a supervisor would do it.
public final class Killer {
  /// The time from a kill to the start of the next life.
  public static final Duration RESTART_DELAY = Duration.ofSeconds(1);

  private final ServerWorld world;
  private final List<String> trainers;
  private final Consumer<String> restart;
  private final List<Killed> killed = new ArrayList<>();

  /// A kill that was carried out.
  ///
  /// @param at the time on the clock of [System#nanoTime], which is the same for all processes of
  ///     a Linux machine
  /// @param slots the number of slots of which the process was the primary
  public record Killed(Role role, String process, long at, int slots) {}

  /// @param trainers the processes of the trainers
  /// @param restart starts a process of trainers
  public Killer(ServerWorld world, List<String> trainers, Consumer<String> restart) {
    this.world = world;
    this.trainers = List.copyOf(trainers);
    this.restart = restart;
  }

  /// Returns the kills so far.
  public List<Killed> killed() {
    return List.copyOf(killed);
  }

  /// Carries out a plan.
  ///
  /// @param start the start of the plan on the clock of [System#nanoTime]
  public void carryOut(KillPlan plan, long start) {
    int workers = workers();
    for (Kill kill : plan.kills()) {
      long wait = start + kill.at().toNanos() - System.nanoTime();
      ServerWorld.sleep(Duration.ofNanos(Math.max(0, wait)));
      world.await("all workers are back", _ -> workers() >= workers);
      world.awaitComplete();
      carryOut(kill);
    }
  }

  private void carryOut(Kill kill) {
    String victim =
        switch (kill.role()) {
          case TRAINER -> kill.choose(trainers);
          case SERVER -> kill.choose(world.options().servers());
          case LEADER -> leader();
        };
    boolean isTrainer = trainers.contains(victim);
    int slots = isTrainer ? 0 : world.slots(victim);
    int before = workers();
    killed.add(new Killed(kill.role(), victim, System.nanoTime(), slots));
    world.kill(victim);
    System.err.printf("killed %s, primary of %d slots%n", victim, slots);
    ServerWorld.sleep(RESTART_DELAY);
    world.await("the loss is known", _ -> workers() < before);
    if (isTrainer) {
      restart.accept(victim);
    } else {
      world.startServer(victim);
    }
  }

  private int workers() {
    return world.rpc().workers().size();
  }

  private String leader() {
    List<String> leaders = new ArrayList<>();
    world.await(
        "a server leads",
        _ -> {
          leaders.addAll(world.options().servers().stream().filter(world::isLeader).toList());
          return !leaders.isEmpty();
        });
    return leaders.getFirst();
  }
}
