// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Role;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;

/// The live observers, one on each of the other workers, and their episodes. The agent continues
/// without a lost observer; a restarted observer takes part again from the next episode.
final class Observers {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final Rpc rpc;
  private final long seed;
  private final Progress progress;
  private final Map<Integer, RRef<Observer>> observers = new ConcurrentSkipListMap<>();
  private final Map<Integer, Episode> episodes = new ConcurrentSkipListMap<>();

  /// Creates an observer on every other worker.
  Observers(Rpc rpc, long seed, Progress progress) {
    this.rpc = rpc;
    this.seed = seed;
    this.progress = progress;
    others().forEach(this::add);
  }

  private List<WorkerInfo> others() {
    return rpc.workers().stream()
        .filter(worker -> !worker.equals(rpc.self()) && !observers.containsKey(worker.id()))
        .toList();
  }

  private void add(WorkerInfo worker) {
    episodes.put(worker.id(), new Episode(decisions(worker.id())));
    observers.put(worker.id(), rpc.remote(worker.name(), Observer::new, seed));
  }

  /// Returns the generator for an observer's actions, independent of its environment's generator.
  private SplittableRandom decisions(int observer) {
    return new SplittableRandom(31 * seed + observer).split();
  }

  /// Creates observers on restarted workers.
  void welcome() {
    for (WorkerInfo worker : others()) {
      add(worker);
      say("is back", worker.id());
    }
  }

  /// Returns the ranks of the observers.
  Set<Integer> ranks() {
    return observers.keySet();
  }

  /// Returns the episodes of all observers.
  Collection<Episode> episodes() {
    return episodes.values();
  }

  /// Returns the current episode of an observer.
  ///
  /// @throws IllegalStateException if the observer is lost
  Episode episode(int observer) {
    Episode episode = episodes.get(observer);
    if (episode == null) {
      throw new IllegalStateException("the observer of rank " + observer + " is lost");
    }
    return episode;
  }

  /// Runs one episode on each observer. Blocks until all have ended.
  ///
  /// @param play starts the episode of the observer with the given rank
  /// @throws NoSuchWorkerException if the last observer is lost
  void playEpisode(BiFunction<Integer, ObjectCalls<Observer>, Future<?>> play) {
    if (observers.isEmpty()) {
      throw new IllegalStateException("no observer is left; restart the whole world");
    }
    Map<Integer, Future<?>> runs = new TreeMap<>();
    observers.forEach((id, observer) -> runs.put(id, play.apply(id, observer.with(PATIENT))));
    Future.join(List.copyOf(runs.values())).otherwiseEmpty().await();
    runs.forEach(this::loseIfFailed);
  }

  private void loseIfFailed(int id, Future<?> run) {
    if (run.succeeded()) {
      return;
    }
    if (!(run.cause() instanceof NoSuchWorkerException) || observers.size() == 1) {
      run.await();
    }
    observers.remove(id);
    episodes.remove(id);
    say("is lost", id);
  }

  private void say(String what, int id) {
    int left = observers.size();
    progress.say(
        "agent: %s %s; continuing with %s"
            .formatted(
                Role.OBSERVER.nameOf(id), what, left == 1 ? "1 observer" : left + " observers"));
  }

  /// Returns the total number of steps in the current episodes.
  int steps() {
    return episodes.values().stream().mapToInt(episode -> episode.rewards().size()).sum();
  }

  /// Clears the current episodes.
  void forgetEpisode() {
    episodes.values().forEach(Episode::clear);
  }
}
