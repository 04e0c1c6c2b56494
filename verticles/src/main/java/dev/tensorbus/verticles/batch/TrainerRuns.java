// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/// Runs the trainers, which are all other workers of the world. A round continues without a lost
/// trainer; a restarted trainer takes part again.
final class TrainerRuns {
  private final Rpc rpc;
  private final Members<Integer> members;
  private final Function<WorkerInfo, Future<Void>> run;
  private final TimedLog log;
  private final Map<Integer, Future<Void>> runs = new ConcurrentSkipListMap<>();

  /// @param members the ranks of the active trainers
  /// @param run runs one trainer
  TrainerRuns(
      Rpc rpc, Members<Integer> members, Function<WorkerInfo, Future<Void>> run, TimedLog log) {
    this.rpc = rpc;
    this.members = members;
    this.run = run;
    this.log = log;
    rpc.onWorkerJoined(this::welcome);
  }

  /// Runs all trainers and waits until the live ones are done.
  ///
  /// @throws RuntimeException the failure of the first trainer, if all have failed
  void trainAll() {
    List<WorkerInfo> trainers =
        rpc.workers().stream().filter(worker -> !worker.equals(rpc.self())).toList();
    if (trainers.isEmpty()) {
      throw new IllegalStateException("no trainer is left; restart the whole world");
    }
    trainers.forEach(trainer -> members.join(trainer.id()));
    trainers.forEach(this::train);
    while (!runs.values().stream().allMatch(Future::isComplete)) {
      Future.join(List.copyOf(runs.values())).otherwiseEmpty().await();
    }
    if (runs.values().stream().noneMatch(Future::succeeded)) {
      runs.values().iterator().next().await();
    }
  }

  private void train(WorkerInfo trainer) {
    Future<Void> end = run.apply(trainer).onComplete(ended -> members.leave(trainer.id()));
    runs.put(trainer.id(), end.onFailure(error -> say("is lost", trainer)));
  }

  /// Runs a restarted trainer once its previous run has failed, which may be noticed later than the
  /// restart.
  private void welcome(WorkerInfo trainer) {
    Future<Void> earlier = runs.getOrDefault(trainer.id(), Future.succeededFuture());
    earlier.onFailure(lost -> trainAgain(trainer));
  }

  private void trainAgain(WorkerInfo trainer) {
    members.join(trainer.id());
    train(trainer);
    say("is back", trainer);
  }

  private void say(String what, WorkerInfo trainer) {
    int left = members.remaining();
    log.timedLog(
        "parameter-server: %s %s; the round continues with %s"
            .formatted(trainer, what, left == 1 ? "1 trainer" : left + " trainers"));
  }
}
