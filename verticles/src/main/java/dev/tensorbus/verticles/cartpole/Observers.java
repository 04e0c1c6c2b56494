// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;

/// The observers that live, by rank, and what each has seen.
final class Observers {
  /// An episode takes as long as it takes.
  static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final Progress progress;
  private final Map<Integer, RRef<Observer>> references = new ConcurrentSkipListMap<>();
  private final Map<Integer, Episode> episodes = new ConcurrentSkipListMap<>();

  /// Makes an observer on every other worker.
  Observers(Rpc rpc, long seed, Progress progress) {
    this.progress = progress;
    for (WorkerInfo worker : rpc.workers()) {
      if (!worker.equals(rpc.self())) {
        references.put(worker.id(), rpc.remote(worker.name(), Observer::new, seed));
        episodes.put(worker.id(), new Episode(decisions(seed, worker.id())));
      }
    }
  }

  /// Decides what the policy does for one observer; other numbers than its environment draws.
  private static RandomGenerator decisions(long seed, int observer) {
    return new SplittableRandom(31 * seed + observer).split();
  }

  /// How an observer is asked to play an episode.
  @FunctionalInterface
  interface Play {
    /// Done when the episode is over.
    Future<Void> start(int id, RRef<Observer> observer);
  }

  /// The ranks of those that live.
  Set<Integer> ids() {
    return Set.copyOf(references.keySet());
  }

  /// What this observer has seen.
  ///
  /// @throws IllegalStateException if it has been given up
  Episode episode(int id) {
    Episode episode = episodes.get(id);
    if (episode == null) {
      throw new IllegalStateException("no observer of rank " + id + " takes part any more");
    }
    return episode;
  }

  /// What those that live have seen, by rank.
  Collection<Episode> episodes() {
    return List.copyOf(episodes.values());
  }

  /// Lets all play and waits until all are done. Goes on without observers that die.
  ///
  /// @throws NoSuchWorkerException if none is left
  void play(Play play) {
    Map<Integer, Future<Void>> runs = new LinkedHashMap<>();
    references.forEach((id, observer) -> runs.put(id, play.start(id, observer)));
    Future.join(List.copyOf(runs.values())).otherwiseEmpty().await();
    runs.forEach(this::loseIfFailed);
  }

  private void loseIfFailed(int id, Future<Void> run) {
    if (run.succeeded()) {
      return;
    }
    if (!(run.cause() instanceof NoSuchWorkerException) || references.size() == 1) {
      run.await();
    }
    references.remove(id);
    episodes.remove(id);
    progress.say(
        "agent has lost %s; it goes on with %d of them"
            .formatted(Role.OBSERVER.nameOf(id), references.size()));
  }
}
