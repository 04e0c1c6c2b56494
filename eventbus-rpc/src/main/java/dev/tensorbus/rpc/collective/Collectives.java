// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.F3;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Collects one value from each worker and returns all values to every worker, or fails on all of
/// them.
///
/// Each member sends its value to the leader, the member with the lowest rank, which answers when
/// all values have arrived. As soon as the timeout of any member expires, the round fails for all
/// members; the error names the missing ones. A round also fails when a member dies.
///
/// A round is identified by its operation, its members' incarnations and a number: each member
/// counts its rounds, including failed ones. A late member gets the outcome of the round that it
/// missed, so that the next calls of all members belong to the same round again.
public final class Collectives {
  /// A member waits this much longer than the leader, in order to get the leader's error, which
  /// names the missing members. On a busy machine the error may arrive seconds late.
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final Duration RETRY = Duration.ofMillis(200);

  private final Membership membership;
  private final CallSender calls;
  private final boolean isDynamic;
  private final NanoClock clock;
  private final Meetings meetings;
  private final Map<CollectiveRound, AtomicLong> counters = new ConcurrentHashMap<>();

  /// The names of the workers that belong to the world, by rank. A worker that has left stays until
  /// it is replaced.
  private final Map<Integer, String> world = new ConcurrentSkipListMap<>();

  /// Creates the collectives of one worker.
  ///
  /// @param isDynamic whether workers join and leave at any time
  public Collectives(Membership membership, CallSender calls, boolean isDynamic, NanoClock clock) {
    this.membership = membership;
    this.calls = calls;
    this.isDynamic = isDynamic;
    this.clock = clock;
    this.meetings = new Meetings(membership::isGone);
    workerJoined(membership.self().info());
  }

  /// Records that a worker has joined the world.
  public void workerJoined(WorkerInfo worker) {
    world.put(worker.id(), worker.name());
  }

  /// Fails the operations that wait for a departed worker.
  public void workerLost(Sender life) {
    meetings.workerLost(life);
    counters.keySet().removeIf(group -> group.members().contains(life));
  }

  /// Contributes a value to a round of the named workers and returns the values of all members, by
  /// name.
  ///
  /// @param operation the name of the operation; different operations have separate rounds
  /// @param given the timeout
  public <T> Future<Map<String, T>> meet(
      String operation, Collection<String> names, T value, Duration given) {
    try {
      Duration limit = TimeLimit.of("timeout", given);
      CallOptions options = CallOptions.timeout(limit.plus(GRACE));
      CollectiveRound round = next(operation, members(operation, names));
      return Recording.outside(() -> bring(round, value, limit, options.withRetry(RETRY)))
          .transform(
              done ->
                  done.succeeded()
                      ? values(round, done.result())
                      : Future.failedFuture(explained(round, limit, done.cause())));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Contributes a value to a round of all workers. In a world of fixed size these include workers
  /// that have left and have not been replaced. The timeout includes the time until all workers
  /// have joined for the first time.
  public <T> Future<Map<String, T>> meet(String operation, T value, Duration given) {
    Future<Void> ready = membership.ready();
    if (ready.succeeded()) {
      return meet(operation, everybody(), value, given);
    }
    Duration limit = CallContext.bound(given);
    Deadline end = Deadline.after(limit, clock);
    return ready
        .timeout(limit.toNanos(), TimeUnit.NANOSECONDS)
        .recover(error -> Future.failedFuture(incomplete(operation, limit, error)))
        .compose(done -> meet(operation, everybody(), value, end.left()));
  }

  private Collection<String> everybody() {
    return isDynamic
        ? membership.workers().stream().map(WorkerInfo::name).toList()
        : List.copyOf(world.values());
  }

  private static Throwable incomplete(String operation, Duration limit, Throwable error) {
    return error instanceof TimeoutException
        ? new RpcTimeoutException(operation + ": not all workers joined within " + limit)
        : error;
  }

  /// Contributes tensors and returns the sums over all members. A sum is null if the tensors at its
  /// index are null on all members.
  public Future<List<@Nullable Tensor>> sum(
      Collection<String> names, List<@Nullable Tensor> tensors, Duration limit) {
    List<@Nullable Tensor> plain = new ArrayList<>();
    tensors.forEach(tensor -> plain.add(tensor == null ? null : tensor.detach()));
    return this.<Object>meet(AllReduce.SUM, names, plain, limit)
        .compose(sums -> sums(sums.values().iterator().next()));
  }

  @SuppressWarnings("unchecked") // AllReduce returns a string or a list of tensors
  private static Future<List<@Nullable Tensor>> sums(Object sums) {
    return sums instanceof String problem
        ? Future.failedFuture(new IllegalArgumentException(AllReduce.SUM + ": " + problem))
        : Future.succeededFuture((List<@Nullable Tensor>) sums);
  }

  private List<Sender> members(String operation, Collection<String> names) {
    Map<Integer, Sender> members = new TreeMap<>();
    for (String name : names) {
      membership.requireWorld();
      Sender life = membership.life(name);
      if (life == null) {
        throw new NoSuchWorkerException(
            name,
            operation
                + " of "
                + String.join(", ", names)
                + ": "
                + name
                + " has not joined or has left",
            false);
      }
      members.put(life.info().id(), life);
    }
    WorkerInfo self = membership.self().info();
    if (!members.containsKey(self.id())) {
      throw new IllegalArgumentException(
          operation
              + " of "
              + String.join(", ", names)
              + ": only these workers may call it, not "
              + self);
    }
    return List.copyOf(members.values());
  }

  private CollectiveRound next(String operation, List<Sender> members) {
    CollectiveRound group = new CollectiveRound(operation, members, 0);
    long number = counters.computeIfAbsent(group, key -> new AtomicLong()).incrementAndGet();
    return new CollectiveRound(operation, members, number);
  }

  private Future<RoundEnd> bring(
      CollectiveRound round, Object value, Duration limit, CallOptions options) {
    Call<RoundEnd> arrive =
        Call.of(
            (F3<CollectiveRound, Object, Long, RoundEnd>) Collectives::arrive,
            round,
            value,
            limit.toNanos());
    return calls.send(Target.worker(round.leader()), arrive.with(options));
  }

  /// Receives a member's contribution and returns when the round ends. Each call waits on its own
  /// thread, so that the members' answers are encoded in parallel.
  @Remote
  static RoundEnd arrive(CollectiveRound round, Object value, Long limitNanos) {
    Sender member = CallContext.current().sender();
    if (!round.members().contains(member)) {
      throw new IllegalArgumentException(
          round + ": " + member.info() + " is not a member of the round");
    }
    Meetings meetings = CallContext.part(Collectives.class).meetings;
    Future<RoundEnd> end = meetings.arrive(round, member.info(), value);
    try {
      return VirtualThreads.await(end, Duration.ofNanos(limitNanos), round::toString);
    } catch (RpcTimeoutException e) {
      meetings.expire(round, limitNanos);
      return VirtualThreads.await(end);
    }
  }

  @SuppressWarnings("unchecked") // all members contribute the same type
  private static <T> Future<Map<String, T>> values(CollectiveRound round, RoundEnd end) {
    if (end.missing().isEmpty()) {
      return Future.succeededFuture((Map<String, T>) end.values());
    }
    String missing = String.join(", ", end.missing());
    return Future.failedFuture(
        end.left()
            ? new NoSuchWorkerException(missing, round + ": " + missing + " has left", true)
            : new RpcTimeoutException(missing, "the " + round, Duration.ofNanos(end.limitNanos())));
  }

  private static Throwable explained(CollectiveRound round, Duration limit, Throwable error) {
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
