// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.consistency.Clocks;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps the pushes of trainers until their [Clocks] let them become a step, and answers the
/// trainers when they may continue. A waiting trainer occupies no thread.
///
/// Thread-safe. Steps run with the lock held, with the pushes in the order of the trainers' names,
/// so that equal pushes yield bit-identical results. Trainers are answered without the lock.
final class Pushes implements AutoCloseable {
  private final Clocks<String> clocks;
  private final Consumer<List<CheckedPush>> step;
  private final Map<String, CheckedPush> collected = new HashMap<>();
  private final Map<String, Promise<Void>> answers = new HashMap<>();

  /// Waits for the end of the current grace time.
  private @Nullable Thread timer;

  /// @param step updates the model
  Pushes(Members<String> trainers, Consistency consistency, Consumer<List<CheckedPush>> step) {
    this.clocks = new Clocks<>(trainers, consistency);
    this.step = step;
    trainers.onDeparture(trainer -> membersChanged());
  }

  /// Adds a push.
  ///
  /// @return a future that completes when the trainer may continue. It fails if the step fails, or
  ///     with a [CancellationException] if the trainer pushes again before.
  Future<Void> add(CheckedPush push) {
    Promise<Void> answer = Promise.promise();
    Promise<Void> replaced;
    Runnable completion;
    synchronized (this) {
      collected.put(push.trainer(), push);
      replaced = answers.put(push.trainer(), answer);
      completion = carryOut(clocks.push(push.trainer()));
    }
    if (replaced != null) {
      replaced.fail(new CancellationException("the same trainer has pushed again"));
    }
    completion.run();
    return answer.future();
  }

  /// Removes a trainer's push, unless it has become part of a step. Its future never completes.
  synchronized void withdraw(String trainer) {
    collected.remove(trainer);
    answers.remove(trainer);
    clocks.withdraw(trainer);
  }

  /// Takes the step that is complete, and answers the trainers that may continue, after a trainer
  /// has joined or left.
  void membersChanged() {
    Runnable completion;
    synchronized (this) {
      completion = carryOut(clocks.membersChanged());
    }
    completion.run();
  }

  /// Takes the step, if there is one. Returns an action that answers trainers.
  private Runnable carryOut(Clocks.Outcome<String> outcome) {
    outcome.dropped().forEach(collected::remove);
    List<CheckedPush> pushes =
        outcome.step().stream()
            .map(trainer -> Objects.requireNonNull(collected.remove(trainer), trainer))
            .toList();
    if (outcome.grace() != null) {
      startGrace(outcome.grace());
    }
    Future<Void> stepped = tryStep(pushes);
    if (stepped.failed()) {
      outcome.step().forEach(clocks::withdraw);
    }
    List<Promise<Void>> failing = stepped.failed() ? take(outcome.step()) : List.of();
    List<Promise<Void>> continuing = take(outcome.released());
    return () -> {
      failing.forEach(answer -> answer.fail(stepped.cause()));
      continuing.forEach(Promise::complete);
    };
  }

  private void startGrace(Clocks.Grace grace) {
    close();
    timer = Threads.system().start("grace", () -> end(grace));
  }

  private void end(Clocks.Grace grace) {
    try {
      Thread.sleep(grace.duration());
    } catch (InterruptedException e) {
      return; // its step has been taken, or the server is closed
    }
    Runnable completion;
    synchronized (this) {
      if (!Thread.currentThread().equals(timer)) {
        return; // the interrupt came a moment too late
      }
      timer = null; // so that nothing interrupts the step or its answers
      completion = carryOut(clocks.graceEnded(grace));
    }
    completion.run();
  }

  private Future<Void> tryStep(List<CheckedPush> pushes) {
    try {
      if (!pushes.isEmpty()) {
        step.accept(pushes);
      }
      return Future.succeededFuture();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }

  /// Removes the answers of trainers and returns them in reverse order: the first trainer may lead
  /// the others, and continues last.
  private List<Promise<Void>> take(SortedSet<String> trainers) {
    List<Promise<Void>> taken = new ArrayList<>();
    for (String trainer : trainers) {
      Promise<Void> answer = answers.remove(trainer);
      if (answer != null) {
        taken.add(answer);
      }
    }
    return taken.reversed();
  }

  /// Ends the current grace time without a step.
  @Override
  public synchronized void close() {
    if (timer != null) {
      timer.interrupt();
      timer = null;
    }
  }
}
