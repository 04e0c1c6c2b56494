// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.rpc.group.Round;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.function.ToLongFunction;

/// Bulk synchronous parallel (Valiant, "A Bridging Model for Parallel Computation", 1990): the
/// pushes of all trainers are applied together, in one step, after which all trainers continue.
final class Bsp implements Consistency {
  private final Round<String, CheckedPush, Long> round;

  /// @param step updates the model and returns the version after the update
  Bsp(Members<String> trainers, ToLongFunction<Collection<CheckedPush>> step) {
    round = new Round<>(trainers, pushes -> step.applyAsLong(pushes.values()));
  }

  @Override
  public Future<Long> push(CheckedPush push) {
    return round.add(push.trainer(), push);
  }

  @Override
  public void withdraw(String trainer) {
    round.withdraw(trainer);
  }
}
