// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Trainers of one process that push whole numbers, one push after another, until they are told to
/// stop.
final class PushingTrainers {
  /// The first word of a line that says that a call has failed.
  static final String FAILED = "failed-call";

  /// The pause between two pushes. Without it, the trainers would take all cores, and a process
  /// that is started again would wait for one.
  private static final Duration PAUSE = Duration.ofMillis(4);

  private PushingTrainers() {}

  /// The state of one trainer.
  private static final class State {
    private volatile boolean isStopping;
    private volatile boolean isStopped;
  }

  /// Starts the trainers.
  ///
  /// @param args the world's, the servers, all trainers, the trainers of this process, and a folder
  ///     for [PushCounts]
  public static void main(String[] args) {
    WorldMember member = WorldMember.join(args);
    List<String> all = List.of(member.arguments().get(1).split(",", -1));
    String[] own = member.arguments().get(2).split(",", -1);
    Path folder = Path.of(member.arguments().get(3));
    StoreOptions options = options(member.arguments().get(0).split(",", -1), all.size());
    for (int i = 0; i < own.length; i++) {
      Rpc rpc = member.open(own[i], i);
      int trainer = all.indexOf(own[i]);
      Thread.ofVirtual().start(() -> push(rpc, member.name(), trainer, options, folder));
    }
    WorldMember.awaitEnd();
  }

  /// Returns the options of all trainers.
  static StoreOptions options(String[] servers, int trainers) {
    return StoreOptions.of(servers).withTrainers(trainers).withConsistency("async");
  }

  private static void push(
      Rpc rpc, String process, int trainer, StoreOptions options, Path folder) {
    State state = rpc.shared(State.class, State::new);
    Sums sums = new Sums(options.trainers());
    PushCounts counts = PushCounts.create(folder, rpc.self().name());
    try (var store = ParameterStore.join(rpc, sums, new Sgd(1), options)) {
      while (!state.isStopping) {
        long number = counts.begin();
        sums.add(trainer, number);
        long start = System.nanoTime();
        store.push(1).await();
        counts.acknowledged(number);
        Stalls.report(process, start, System.nanoTime());
        ServerWorld.sleep(PAUSE);
      }
    } catch (RuntimeException e) {
      System.out.println(FAILED + " " + rpc.self().name() + ": " + e);
    }
    state.isStopped = true;
  }

  /// Asks this worker's trainer to stop after its current push, and returns whether it has.
  @Remote
  static boolean stop() {
    State state = Rpc.current().shared(State.class, State::new);
    state.isStopping = true;
    return state.isStopped;
  }
}
