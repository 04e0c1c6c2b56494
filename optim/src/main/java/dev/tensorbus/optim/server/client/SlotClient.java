// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PartPush;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.SlotMap;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A trainer's view of a group: finds the primary of each slot, and repeats what a server that has
/// died has not answered. A repeated push becomes part of one step only.
///
/// Not thread-safe: a trainer makes one request after another.
public final class SlotClient {
  private static final Duration RETRY = Duration.ofMillis(10);

  private final Life self;
  private final GroupSettings settings;
  private final Pieces pieces;
  private final ServerCalls calls;
  private final Duration patience;

  /// The newest known values, by the names of their pieces.
  private final Map<String, Tensor> values = new HashMap<>();

  private final SortedMap<Integer, Long> versions = new TreeMap<>();
  private volatile SlotMap map = SlotMap.UNKNOWN;
  private int turn;
  private long pushes;

  /// @param parameters the group's parameters by name, with the values that the group has if this
  ///     trainer is the first
  /// @param patience how long a slot may be without a server
  public SlotClient(
      Life self,
      GroupSettings settings,
      Map<String, Tensor> parameters,
      ServerCalls calls,
      Duration patience) {
    this.self = self;
    this.settings = settings;
    this.pieces = new Pieces(settings.name(), parameters);
    this.calls = calls;
    this.patience = patience;
  }

  /// Returns the newest map that this trainer knows.
  public SlotMap map() {
    return map;
  }

  /// Joins the group, and defines it if this trainer is the first.
  ///
  /// @param first the values if this trainer is the first
  public Future<Void> join(Map<String, Tensor> first) {
    return ask(
        pieces.slots(),
        (server, slots) ->
            calls.join(
                server,
                new JoinRequest(self, settings, bySlot(slots, slot -> pieces.cut(slot, first)))),
        _ -> {});
  }

  private static <T> Map<Integer, T> bySlot(
      Collection<Integer> slots, Function<Integer, T> content) {
    Map<Integer, T> bySlot = new HashMap<>();
    slots.forEach(slot -> bySlot.put(slot, content.apply(slot)));
    return bySlot;
  }

  /// Fetches the values that are newer than the known ones.
  ///
  /// @return a future of the changed parameters by name
  public Future<Map<String, Tensor>> pull() {
    Set<String> changed = Collections.synchronizedSet(new TreeSet<>());
    return pull(pieces.slots(), 0, changed)
        .compose(
            _ -> {
              long newest = versions.values().stream().mapToLong(Long::longValue).max().orElse(0);
              List<Integer> behind =
                  versions.keySet().stream().filter(slot -> version(slot) < newest).toList();
              boolean isConsistent = !settings.isSynchronous() || behind.isEmpty();
              return isConsistent ? Future.succeededFuture() : pull(behind, newest, changed);
            })
        .map(
            _ -> {
              Map<String, Tensor> parameters = new HashMap<>();
              changed.forEach(name -> parameters.put(name, pieces.join(name, values)));
              return parameters;
            });
  }

  private Future<Void> pull(Collection<Integer> wanted, long atLeast, Set<String> changed) {
    return ask(
        wanted,
        (server, slots) ->
            calls
                .pull(
                    server, new PullRequest(settings.name(), bySlot(slots, this::version), atLeast))
                .map(
                    answer -> {
                      take(answer, changed);
                      return answer.answer();
                    }),
        this::note);
  }

  private synchronized long version(int slot) {
    return versions.getOrDefault(slot, 0L);
  }

  private synchronized void take(PullAnswer answer, Set<String> changed) {
    answer
        .values()
        .forEach(
            (slot, newer) -> {
              if (answer.answer().versions().getOrDefault(slot, 0L) > version(slot)) {
                values.putAll(newer);
                changed.addAll(pieces.parameters(slot));
              }
            });
  }

  private synchronized void note(Map<Integer, Long> answered) {
    answered.forEach((slot, version) -> versions.merge(slot, version, Math::max));
  }

  /// Pushes gradients.
  ///
  /// @param optimizer the optimizer's settings for the step
  /// @param gradients the gradients by parameter
  /// @param examples the number of examples; 0 if unknown
  /// @return a future of the highest version of all slots, which completes when this trainer may
  ///     continue
  public Future<Long> push(OptimizerSpec optimizer, Map<String, Tensor> gradients, int examples) {
    long number = ++pushes;
    Map<Integer, PartPush> parts =
        bySlot(
            pieces.slots(),
            slot -> {
              List<Tensor> cut = List.copyOf(pieces.cut(slot, gradients).values());
              return new PartPush(number, optimizer, cut, examples);
            });
    Map<Integer, Long> reached = Collections.synchronizedMap(new HashMap<>());
    return ask(
            pieces.slots(),
            (server, slots) ->
                calls.push(
                    server, new PushRequest(self, settings.name(), bySlot(slots, parts::get))),
            reached::putAll)
        .map(_ -> Collections.max(reached.values()));
  }

  /// Leaves the group.
  public Future<Void> leave() {
    return ask(
        pieces.slots(),
        (server, slots) ->
            calls.leave(server, new LeaveRequest(self, settings.name(), Set.copyOf(slots))),
        _ -> {});
  }

  /// A request for some slots to one server.
  @FunctionalInterface
  private interface SlotRequest {
    Future<SlotAnswer> send(Life server, Collection<Integer> slots);
  }

  /// Receives the versions of the answered slots.
  @FunctionalInterface
  private interface Answered {
    void accept(Map<Integer, Long> versions);
  }

  private Future<Void> ask(Collection<Integer> slots, SlotRequest request, Answered answered) {
    return ask(slots, request, answered, calls.nanoTime() + patience.toNanos());
  }

  /// Sends a request to the primaries of all slots, until each slot is answered.
  private Future<Void> ask(
      Collection<Integer> slots, SlotRequest request, Answered answered, long end) {
    SlotMap now = map;
    SortedMap<Life, List<Integer>> byServer = new TreeMap<>();
    List<Integer> homeless = new ArrayList<>();
    for (int slot : slots) {
      Life primary = now.primary(slot);
      if (primary == null) {
        homeless.add(slot);
      } else {
        byServer.computeIfAbsent(primary, _ -> new ArrayList<>()).add(slot);
      }
    }
    if (now.isAssigned() && !homeless.isEmpty()) {
      return Future.failedFuture(new LostSlotsException(homeless.size()));
    }
    List<Future<Void>> answers = new ArrayList<>();
    byServer.forEach(
        (server, some) -> answers.add(askOne(server, some, request, answered, now, end)));
    if (!homeless.isEmpty()) {
      answers.add(again(homeless, request, answered, now, end));
    }
    return Future.join(answers).mapEmpty();
  }

  private Future<Void> askOne(
      Life server,
      List<Integer> slots,
      SlotRequest request,
      Answered answered,
      SlotMap seen,
      long end) {
    return request
        .send(server, slots)
        .recover(
            error ->
                calls.isTransient(error)
                    ? Future.succeededFuture(new SlotAnswer(Map.of(), null))
                    : Future.failedFuture(error))
        .compose(
            answer -> {
              learn(answer.map());
              answered.accept(answer.versions());
              List<Integer> rest = new ArrayList<>(slots);
              rest.removeAll(answer.versions().keySet());
              if (rest.isEmpty()) {
                return Future.succeededFuture();
              }
              long limit =
                  answer.versions().isEmpty() ? end : calls.nanoTime() + patience.toNanos();
              return again(rest, request, answered, seen, limit);
            });
  }

  private synchronized void learn(@Nullable SlotMap other) {
    if (other != null && other.epoch() > map.epoch()) {
      map = other;
    }
  }

  /// Sends a request again: at once if there is a newer map, else after a pause.
  private Future<Void> again(
      List<Integer> slots, SlotRequest request, Answered answered, SlotMap seen, long end) {
    if (map.epoch() > seen.epoch()) {
      return ask(slots, request, answered, end);
    }
    if (calls.nanoTime() > end) {
      return Future.failedFuture(new LostSlotsException(slots.size(), patience));
    }
    Promise<Void> pause = Promise.promise();
    calls.after(RETRY, pause::complete);
    return pause
        .future()
        .compose(_ -> calls.map(turn++))
        .otherwise(seen)
        .compose(
            newer -> {
              learn(newer);
              return ask(slots, request, answered, end);
            });
  }
}
