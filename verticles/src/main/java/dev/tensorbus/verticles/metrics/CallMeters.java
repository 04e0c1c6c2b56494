// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Counts and times calls, by peer and by method. One metric with both labels would have too many
/// time series.
final class CallMeters implements Consumer<EndedCall> {
  private static final int MOST_PEERS = 64;
  private static final int MOST_METHODS = 50;

  private final MeterRegistry registry;
  private final SideMeters made;
  private final SideMeters served;

  CallMeters(MeterRegistry registry) {
    this.registry = registry;
    made = new SideMeters(Tags.of("side", label(Side.CALLER)));
    served = new SideMeters(Tags.of("side", label(Side.CALLEE)));
  }

  @Override
  public void accept(EndedCall call) {
    SideMeters side = call.side() == Side.CALLER ? made : served;
    side.add(call);
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Timer timer(String name, Tags tags, String description) {
    return Timer.builder(name)
        .description(description)
        .tags(tags)
        .publishPercentiles(0.5, 0.99)
        .register(registry);
  }

  private Counter counter(String name, Tags tags, String description) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  /// The meters of either the calls that this worker makes or the calls that it serves.
  private final class SideMeters {
    private final Bounded<String, PeerMeters> peers;
    private final Bounded<FunctionName, Timer> methods;

    SideMeters(Tags side) {
      peers = new Bounded<>(MOST_PEERS, peer -> new PeerMeters(side, peer));
      methods =
          new Bounded<>(
              MOST_METHODS,
              method ->
                  timer("tensorbus.method.calls", side.and("method", method), "Calls by method"));
    }

    void add(EndedCall call) {
      peers.get(call.peer()).add(call);
      methods.get(call.function()).record(call.nanos(), TimeUnit.NANOSECONDS);
    }
  }

  /// The meters of the calls to or from one peer.
  private final class PeerMeters {
    private final Timer calls;
    private final Counter retries;
    private final Map<Outcome, Counter> failures = new EnumMap<>(Outcome.class);

    PeerMeters(Tags side, String peer) {
      Tags tags = side.and("peer", peer);
      calls = timer("tensorbus.calls", tags, "Finished calls");
      retries = counter("tensorbus.call.retries", Tags.of("peer", peer), "Resent requests");
      // All created up front: Prometheus computes a rate only from a series that starts at zero.
      for (Outcome outcome : EnumSet.complementOf(EnumSet.of(Outcome.OK))) {
        Tags its = tags.and("outcome", label(outcome));
        failures.put(outcome, counter("tensorbus.call.failures", its, "Failed calls"));
      }
    }

    void add(EndedCall call) {
      calls.record(call.nanos(), TimeUnit.NANOSECONDS);
      retries.increment(call.repeats());
      Counter failure = failures.get(call.outcome());
      if (failure != null) {
        failure.increment();
      }
    }
  }
}
