// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/// Asynchronous parallel: each push is applied at once, in a separate step, and no trainer waits
/// for another.
///
/// @param step updates the model and returns the version after the update
record Async(ToLongFunction<Collection<CheckedPush>> step) implements Consistency {
  @Override
  public Future<Long> push(CheckedPush push) {
    return Future.succeededFuture(step.applyAsLong(List.of(push)));
  }
}
