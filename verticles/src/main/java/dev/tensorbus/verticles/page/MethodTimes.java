// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.verticles.metrics.Bounded;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// Counts and times calls by method. Thread-safe.
final class MethodTimes implements Consumer<EndedCall> {
  private static final int MOST_METHODS = 50;
  private static final int LATEST = 256;

  private final List<Times> all = new CopyOnWriteArrayList<>();
  private final Bounded<FunctionName, Times> made = new Bounded<>(MOST_METHODS, this::made);
  private final Bounded<FunctionName, Times> served = new Bounded<>(MOST_METHODS, this::served);
  private final Map<String, LongAdder> madeTo = new ConcurrentHashMap<>();
  private final LongAdder waitedNanos = new LongAdder();

  private Times made(String method) {
    return listed(new Times("made", method));
  }

  private Times served(String method) {
    return listed(new Times("served", method));
  }

  private Times listed(Times times) {
    all.add(times);
    return times;
  }

  @Override
  public void accept(EndedCall call) {
    boolean isMade = call.side() == Side.CALLER;
    (isMade ? made : served).get(call.function()).add(call.nanos());
    if (isMade) {
      waitedNanos.add(call.nanos());
      madeTo.computeIfAbsent(call.peer(), any -> new LongAdder()).increment();
    }
  }

  /// Returns the total time spent waiting for answers, excluding pending calls.
  long waitedNanos() {
    return waitedNanos.sum();
  }

  /// Returns the number of calls made, by callee.
  JsonObject calls() {
    JsonObject calls = new JsonObject();
    madeTo.forEach((callee, count) -> calls.put(callee, count.sum()));
    return calls;
  }

  JsonArray toJson() {
    return new JsonArray(all.stream().map(Times::toJson).toList());
  }

  /// The durations of the calls of one method, either those made or those served.
  private static final class Times {
    private final String side;
    private final String method;
    private final long[] nanos = new long[LATEST];
    private long count;

    Times(String side, String method) {
      this.side = side;
      this.method = method;
    }

    synchronized void add(long time) {
      nanos[(int) (count % LATEST)] = time;
      count++;
    }

    synchronized JsonObject toJson() {
      long[] sorted = Arrays.copyOf(nanos, (int) Math.min(count, LATEST));
      Arrays.sort(sorted);
      return new JsonObject()
          .put("side", side)
          .put("method", method)
          .put("count", count)
          .put("p50Us", quantile(sorted, 0.5) / 1_000)
          .put("p99Us", quantile(sorted, 0.99) / 1_000);
    }

    private static long quantile(long[] sorted, double part) {
      return sorted.length == 0 ? 0 : sorted[(int) (part * (sorted.length - 1))];
    }
  }
}
