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

/// The trainers of a run, all other workers of the world. The round goes on without one that is
/// lost; one that is started again takes part anew.
final class TrainerRuns {
  private final Rpc rpc;
  private final Members<Integer> members;
  private final Function<WorkerInfo, Future<Void>> run;
  private final TimedLog log;
  private final Map<Integer, Future<Void>> runs = new ConcurrentSkipListMap<>();

  /// @param members the ranks of the trainers that train
  /// @param run lets one trainer train
  TrainerRuns(
      Rpc rpc, Members<Integer> members, Function<WorkerInfo, Future<Void>> run, TimedLog log) {
    this.rpc = rpc;
    this.members = members;
    this.run = run;
    this.log = log;
    rpc.onWorkerJoined(this::welcome);
  }

  /// Lets all train and waits until those that live are done.
  ///
  /// @throws RuntimeException as the first trainer failed, if none is left
  void trainAll() {
    List<WorkerInfo> trainers =
        rpc.workers().stream().filter(worker -> !worker.equals(rpc.self())).toList();
    if (trainers.isEmpty()) {
      throw new IllegalStateException("no trainer is left to begin with; start the world anew");
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
    runs.put(trainer.id(), end.onFailure(error -> say("has lost", trainer)));
  }

  /// The end of the earlier life may come later than the word of the new one.
  private void welcome(WorkerInfo trainer) {
    Future<Void> earlier = runs.getOrDefault(trainer.id(), Future.succeededFuture());
    earlier.onFailure(lost -> trainAgain(trainer));
  }

  private void trainAgain(WorkerInfo trainer) {
    members.join(trainer.id());
    train(trainer);
    say("again has", trainer);
  }

  private void say(String what, WorkerInfo trainer) {
    int left = members.remaining();
    log.timedLog(
        "parameter-server %s %s; the round goes on with %s"
            .formatted(what, trainer, left == 0 ? "nobody" : left + " of them"));
  }
}
