// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Synchronous rounds: one step by the mean of what each trainer that is left brings.
final class Rounds {
  private final Trainers trainers;
  private final ToLongFunction<Map<Tensor, Tensor>> step;

  /// By name, so that equal rounds give equal bits.
  private final Map<String, Push> present = new TreeMap<>();

  private CompletableFuture<Long> version = new CompletableFuture<>();

  /// @param step by these gradients; gives the version after it
  Rounds(int expected, ToLongFunction<Map<Tensor, Tensor>> step) {
    this.trainers = new Trainers(expected);
    this.step = step;
  }

  Trainers trainers() {
    return trainers;
  }

  synchronized void enter(String trainer) {
    trainers.enter(trainer);
  }

  /// The version after the round that this push is in. The round is stepped by who fills it.
  CompletableFuture<Long> push(Push push) {
    Round full;
    CompletableFuture<Long> mine;
    synchronized (this) {
      requireRounds();
      present.put(push.trainer(), push);
      mine = version;
      full = takeIfFull();
    }
    step(full);
    return mine;
  }

  private void requireRounds() {
    if (trainers.expected() == 0) {
      throw new GrpcStatusException(
          Reason.NO_ROUNDS,
          "a round needs trainers that are expected; start the worker with --grpc-trainers N, or"
              + " push at once");
    }
  }

  /// Takes out what a trainer has brought for a round that is not full.
  synchronized void withdraw(String trainer) {
    present.remove(trainer);
  }

  /// A trainer brings nothing more; what it has brought for this round goes too.
  void leave(String trainer) {
    Round full;
    synchronized (this) {
      present.remove(trainer);
      trainers.leave(trainer);
      full = takeIfFull();
    }
    step(full);
    trainers.completeIfAllHaveEnded();
  }

  private @Nullable Round takeIfFull() {
    if (present.isEmpty() || present.size() < trainers.left()) {
      return null;
    }
    Round full = new Round(List.copyOf(present.values()), version);
    present.clear();
    version = new CompletableFuture<>();
    return full;
  }

  private void step(@Nullable Round round) {
    if (round == null) {
      return;
    }
    try {
      round.version().complete(step.applyAsLong(mean(round.pushes())));
    } catch (RuntimeException | Error e) {
      round.version().completeExceptionally(e);
    }
  }

  /// Of those that bring something: a push that was dropped has none.
  private static Map<Tensor, Tensor> mean(List<Push> all) {
    List<Push> pushes = all.stream().filter(push -> !push.gradients().isEmpty()).toList();
    Map<Tensor, Tensor> sums = new LinkedHashMap<>();
    for (Push push : pushes) {
      push.gradients()
          .forEach((parameter, gradient) -> sums.merge(parameter, gradient, Tensor::add));
    }
    sums.replaceAll((parameter, sum) -> sum.scale(1f / pushes.size()));
    return sums;
  }

  private record Round(List<Push> pushes, CompletableFuture<Long> version) {}
}
