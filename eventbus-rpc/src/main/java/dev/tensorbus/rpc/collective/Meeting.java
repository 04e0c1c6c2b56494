// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One round at its leader. It ends once, in one way for all; who comes later hears of the same
/// end.
final class Meeting {
  private final CollectiveRound round;
  private final Map<String, @Nullable Object> brought = new HashMap<>();
  private final CompletableFuture<RoundEnd> end = new CompletableFuture<>();

  Meeting(CollectiveRound round) {
    this.round = round;
  }

  /// Takes what a member brings.
  synchronized void arrive(String member, Object value) {
    brought.put(member, end.isDone() ? null : value);
    if (missing().isEmpty()) {
      end.complete(RoundEnd.of(AllReduce.of(round, byRank())));
    }
  }

  private List<String> missing() {
    return names().filter(name -> !brought.containsKey(name)).toList();
  }

  private Stream<String> names() {
    return round.members().stream().map(member -> member.info().name());
  }

  private Map<String, @Nullable Object> byRank() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    names().forEach(name -> values.put(name, brought.get(name)));
    return Collections.unmodifiableMap(values);
  }

  /// Fails the round because a member has left the world.
  void lose(Sender member) {
    fail(RoundEnd.left(member.info().name()));
  }

  private synchronized void fail(RoundEnd failure) {
    if (end.complete(failure)) {
      brought.replaceAll((member, value) -> null);
    }
  }

  /// Waits for the end; if it takes too long, this is the end.
  RoundEnd await(long limitNanos) throws InterruptedException {
    try {
      return end.get(limitNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      synchronized (this) {
        fail(RoundEnd.late(missing(), limitNanos));
      }
      return end.join();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it is never completed with an error
    }
  }

  /// Whether nobody is expected any more.
  synchronized boolean hasAll() {
    return missing().isEmpty();
  }

  boolean isOver() {
    return end.isDone();
  }
}
