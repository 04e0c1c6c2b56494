// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.TreeSet;

/// The trainers that come through the gateway: so many are expected, each with one open stream,
/// until it has ended or is lost. Not thread-safe.
final class Trainers {
  private final int expected;
  private final Set<String> here = new TreeSet<>();
  private final Set<String> ended = new TreeSet<>();
  private final Promise<Void> allEnded = Promise.promise();

  Trainers(int expected) {
    this.expected = expected;
    completeIfAllHaveEnded();
  }

  int expected() {
    return expected;
  }

  /// How many have not ended, those included that have not come yet.
  int left() {
    return expected - ended.size();
  }

  /// Done when nobody is left. Nothing follows from this thread: complete it outside of locks.
  Future<Void> allEnded() {
    return allEnded.future();
  }

  void enter(String name) {
    if (here.contains(name)) {
      throw new GrpcStatusException(
          Reason.TRAINER_IS_THERE,
          "a trainer \"%s\" is pushing already; choose another name".formatted(name));
    }
    ended.remove(name);
    if (here.size() + ended.size() == expected) {
      throw new GrpcStatusException(
          Reason.TOO_MANY_TRAINERS,
          "all %d trainers that --grpc-trainers expects have come: %s; \"%s\" is one too many"
              .formatted(expected, names(), name));
    }
    here.add(name);
  }

  private String names() {
    Set<String> all = new TreeSet<>(here);
    all.addAll(ended);
    return String.join(", ", all);
  }

  void leave(String name) {
    here.remove(name);
    ended.add(name);
  }

  void completeIfAllHaveEnded() {
    if (left() == 0) {
      allEnded.tryComplete();
    }
  }
}
