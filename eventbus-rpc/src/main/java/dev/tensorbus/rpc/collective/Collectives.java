// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.wire.Round;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Gathers a value of each worker on all of them, or fails on all of them.
///
/// Each member brings its value to the lowest rank and is answered when all have come. The first
/// whose time is up ends the round for everyone, with the names of those that are missing; so
/// does the death of a member. A round is known by the lives that take part and by how many
/// rounds they had before: each member counts them, failed ones too, and who comes too late is
/// told how its round ended; so the next call of each is the same round again.
public final class Collectives {
  /// What a member waits longer than its leader, which can say who is missing.
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(200);

  private final Rpc rpc;
  private final boolean isDynamic;
  private final Function<String, @Nullable Sender> lives;
  private final Meetings meetings;
  private final Map<Round, AtomicLong> counters = new ConcurrentHashMap<>();

  /// Who should be in the world, by rank: those that have left stay until they are replaced.
  private final Map<Integer, String> world = new ConcurrentSkipListMap<>();

  /// The collectives of the worker of `rpc`.
  ///
  /// @param isDynamic whether workers join and leave as they like
  /// @param lives the present life of the worker of a name, or null
  /// @param isGone whether a life of a worker has ended
  public Collectives(
      Rpc rpc,
      boolean isDynamic,
      Function<String, @Nullable Sender> lives,
      Predicate<Sender> isGone) {
    this.rpc = rpc;
    this.isDynamic = isDynamic;
    this.lives = lives;
    this.meetings = new Meetings(isGone);
    workerJoined(rpc.self());
  }

  private static Collectives of(Rpc rpc) {
    return rpc.shared(
        Collectives.class,
        () -> {
          throw new IllegalStateException(rpc + " has no collectives");
        });
  }

  /// Notes who has joined the world.
  public void workerJoined(WorkerInfo worker) {
    world.put(worker.id(), worker.name());
  }

  /// Fails what waits for a worker that has left.
  public void workerLost(Sender life) {
    meetings.workerLost(life);
    counters.keySet().removeIf(group -> group.members().contains(life));
  }

  /// Everybody, in a world of fixed size also who has left and is not replaced; done when all
  /// have come.
  public Future<Collection<String>> everybody() {
    return rpc.ready().map(done -> List.copyOf(isDynamic ? names(rpc.workers()) : world.values()));
  }

  private static List<String> names(List<WorkerInfo> workers) {
    return workers.stream().map(WorkerInfo::name).toList();
  }

  /// Brings a value for each of these and gets everyone's, by name.
  ///
  /// @param operation what it is for; different ones do not meet
  public <T> Future<Map<String, T>> meet(
      String operation, Collection<String> names, T value, Duration limit) {
    try {
      CallOptions options = CallOptions.timeout(limit).withTimeout(limit.plus(GRACE));
      Round round = next(operation, members(operation, names));
      return Contexts.call(null, () -> bring(round, value, limit, options.withRetry(RETRY)))
          .transform(
              done ->
                  done.succeeded()
                      ? values(round, done.result())
                      : Future.failedFuture(explained(round, limit, done.cause())));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Brings tensors and gets the sums of everyone's, null where nobody has one.
  public Future<List<@Nullable Tensor>> sum(
      Collection<String> names, List<@Nullable Tensor> tensors, Duration limit) {
    List<@Nullable Tensor> plain = new ArrayList<>();
    tensors.forEach(tensor -> plain.add(tensor == null ? null : tensor.detach()));
    return this.<Object>meet(Reduction.SUM, names, plain, limit)
        .compose(sums -> sums(sums.values().iterator().next()));
  }

  @SuppressWarnings("unchecked") // what Reduction makes
  private static Future<List<@Nullable Tensor>> sums(Object sums) {
    return sums instanceof String problem
        ? Future.failedFuture(new IllegalArgumentException(Reduction.SUM + ": " + problem))
        : Future.succeededFuture((List<@Nullable Tensor>) sums);
  }

  private List<Sender> members(String operation, Collection<String> names) {
    Map<Integer, Sender> members = new TreeMap<>();
    for (String name : names) {
      Sender life = lives.apply(name);
      if (life == null) {
        throw new NoSuchWorkerException(
            name,
            operation + " of " + String.join(", ", names) + ": " + name + " is not there",
            false);
      }
      members.put(life.info().id(), life);
    }
    if (!members.containsKey(rpc.self().id())) {
      throw new IllegalArgumentException(
          operation
              + " of "
              + String.join(", ", names)
              + ": only they may call it, not "
              + rpc.self());
    }
    return List.copyOf(members.values());
  }

  private Round next(String operation, List<Sender> members) {
    Round group = new Round(operation, members, 0);
    long number = counters.computeIfAbsent(group, key -> new AtomicLong()).incrementAndGet();
    return new Round(operation, members, number);
  }

  private Future<RoundEnd> bring(Round round, Object value, Duration limit, CallOptions options) {
    return rpc.with(options)
        .rpcAsync(round.leader(), Collectives::arrive, round, value, limit.toNanos());
  }

  /// Takes what the caller brings; answered when the round ends.
  @Remote
  static RoundEnd arrive(Round round, Object value, Long limitNanos) throws InterruptedException {
    return of(Rpc.current()).meetings.meet(round, Rpc.caller().name(), value, limitNanos);
  }

  @SuppressWarnings("unchecked") // all members bring the same type
  private static <T> Future<Map<String, T>> values(Round round, RoundEnd end) {
    if (end.missing().isEmpty()) {
      return Future.succeededFuture((Map<String, T>) end.values());
    }
    String missing = String.join(", ", end.missing());
    return Future.failedFuture(
        end.left()
            ? new NoSuchWorkerException(missing, round + ": " + missing + " has left", true)
            : new RpcTimeoutException(missing, "the " + round, Duration.ofNanos(end.limitNanos())));
  }

  private static Throwable explained(Round round, Duration limit, Throwable error) {
    String leader = round.leader();
    return switch (error) {
      case NoSuchWorkerException gone ->
          new NoSuchWorkerException(
              leader, round + ": " + leader + ", which collects the values, has left", true);
      case RpcTimeoutException late -> new RpcTimeoutException(leader, "the " + round, limit);
      default -> error;
    };
  }
}
