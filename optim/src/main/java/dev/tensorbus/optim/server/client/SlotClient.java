// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.AgreedConsistency;
import dev.tensorbus.optim.server.replica.ConsistencyRequest;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A trainer's view of a group whose steps combine pushes of trainers, or of shards by means of a
/// [ShardClient]: finds the primary of each slot, and repeats what a server that has
/// died has not answered. A repeated push becomes part of one step only.
///
/// Not thread-safe: a trainer makes one request after another.
public final class SlotClient {
  private static final Duration RETRY = Duration.ofMillis(10);

  /// The number of times that the pause before a request for a newer map is doubled.
  private static final int MAX_DOUBLINGS = 3;

  private final Life self;
  private final GroupSettings settings;
  private final Pieces pieces;
  private final ServerCalls calls;
  private final Duration patience;

  /// The newest known values, by the names of their pieces.
  private final Map<String, Tensor> values = new HashMap<>();

  private final SortedMap<Integer, Long> versions = new TreeMap<>();

  /// The parameters whose values [#nextStep] has fetched since the last pull.
  private final Set<String> fetched = Collections.synchronizedSet(new TreeSet<>());

  private final JoinedClocks joined = new JoinedClocks();
  private volatile SlotMap map = SlotMap.UNKNOWN;
  private int turn;
  private Future<Void> mapRequest = Future.succeededFuture();

  /// The number of requests for a map since the last newer one.
  private int vainRequests;

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

  Life self() {
    return self;
  }

  GroupSettings settings() {
    return settings;
  }

  Pieces pieces() {
    return pieces;
  }

  ServerCalls calls() {
    return calls;
  }

  /// Joins the group, and defines it if this trainer is the first.
  ///
  /// @param first the values if this trainer is the first
  public Future<Void> join(Map<String, Tensor> first) {
    return join(self, first);
  }

  /// Defines the group without joining it. Does nothing if a trainer has joined already.
  ///
  /// @param first the values if the group is not defined yet
  public Future<Void> define(Map<String, Tensor> first) {
    return join(null, first);
  }

  private Future<Void> join(@Nullable Life trainer, Map<String, Tensor> first) {
    return ask(
        pieces.slots(),
        (server, slots) ->
            calls
                .join(
                    server,
                    new JoinRequest(
                        trainer, settings, bySlot(slots, slot -> pieces.cut(slot, first))))
                .map(
                    answer -> {
                      joined.set(answer.clocks());
                      return answer.answer();
                    }),
        _ -> {});
  }

  /// Joins a group that is defined, or joins it again, after the servers took this trainer for dead
  /// or have restored a run.
  public Future<Void> rejoin() {
    return join(Map.of());
  }

  /// Changes the consistency. The first slot decides on the order of several changes.
  ///
  /// @return a future that completes when all slots have it
  public Future<Void> setConsistency(Consistency next) {
    return setConsistency(new AgreedConsistency(1, next.toString()));
  }

  private Future<Void> setConsistency(AgreedConsistency wanted) {
    int first = Collections.min(pieces.slots());
    return change(List.of(first), wanted)
        .compose(agreed -> change(pieces.slots(), agreed).map(agreed))
        .compose(
            agreed ->
                agreed.text().equals(wanted.text())
                    ? Future.succeededFuture()
                    : setConsistency(new AgreedConsistency(agreed.number() + 1, wanted.text())));
  }

  /// Changes some slots. Returns the newest consistency of one of them.
  private Future<AgreedConsistency> change(Collection<Integer> wanted, AgreedConsistency next) {
    Set<AgreedConsistency> agreed = ConcurrentHashMap.newKeySet();
    return ask(
            wanted,
            (server, slots) ->
                calls
                    .change(
                        server, new ConsistencyRequest(settings.name(), next, Set.copyOf(slots)))
                    .map(
                        answer -> {
                          agreed.addAll(answer.consistencies().values());
                          return answer.answer();
                        }),
            _ -> {})
        .map(_ -> Collections.max(agreed, Comparator.comparingLong(AgreedConsistency::number)));
  }

  static <T> Map<Integer, T> bySlot(Collection<Integer> slots, Function<Integer, T> content) {
    Map<Integer, T> bySlot = new HashMap<>();
    slots.forEach(slot -> bySlot.put(slot, content.apply(slot)));
    return bySlot;
  }

  /// Fetches the values that are newer than the known ones.
  ///
  /// @return a future of the changed parameters by name
  public Future<Map<String, Tensor>> pull() {
    Set<String> changed = Collections.synchronizedSet(new TreeSet<>());
    return catchUp()
        .compose(_ -> pull(pieces.slots(), 0, changed))
        .compose(
            _ -> {
              long newest = newest();
              List<Integer> behind =
                  versions.keySet().stream().filter(slot -> version(slot) < newest).toList();
              boolean isConsistent =
                  !settings.isSynchronous() // or no further step is taken without this trainer
                      || !joined.isEmpty()
                      || behind.isEmpty();
              return isConsistent ? Future.succeededFuture() : pull(behind, newest, changed);
            })
        .map(
            _ -> {
              Map<String, Tensor> parameters = new HashMap<>();
              changed.addAll(takeFetched());
              changed.forEach(name -> parameters.put(name, pieces.join(name, values)));
              return parameters;
            });
  }

  private Set<String> takeFetched() {
    synchronized (fetched) {
      Set<String> taken = Set.copyOf(fetched);
      fetched.clear();
      return taken;
    }
  }

  /// Waits for the step after the known values, and fetches its values for the next pull. May run
  /// beside a push.
  ///
  /// @return a future that completes when all slots have taken the step
  public Future<Void> nextStep() {
    return pull(pieces.slots(), newest() + 1, fetched);
  }

  private Future<Void> pull(Collection<Integer> wanted, long atLeast, Set<String> changed) {
    return pull(
        wanted,
        known -> new PullRequest(self, settings.name(), known, atLeast, Long.MAX_VALUE, Set.of()),
        answer -> take(answer, changed),
        this::note);
  }

  private Future<Void> pull(
      Collection<Integer> wanted,
      Function<Map<Integer, Long>, PullRequest> request,
      Consumer<PullAnswer> taken,
      Answered answered) {
    return ask(
        wanted,
        (server, slots) ->
            calls
                .pull(server, request.apply(bySlot(slots, this::version)))
                .map(
                    answer -> {
                      taken.accept(answer);
                      return answer.answer();
                    }),
        answered);
  }

  /// Versions of all slots, and the shards that a trainer has to compute from each.
  record Pulled(SortedMap<Integer, Long> versions, Map<Integer, Set<Integer>> shards) {
    long oldest() {
      return Collections.min(versions.values());
    }

    long newest() {
      return Collections.max(versions.values());
    }

    /// Returns whether all slots know the trainer.
    boolean isMember() {
      return shards.keySet().containsAll(versions.keySet());
    }

    /// Returns the shards that have to be computed from values of one version.
    SortedSet<Integer> open(long version) {
      SortedSet<Integer> open = new TreeSet<>();
      shards.forEach(
          (slot, some) -> {
            if (versions.getOrDefault(slot, 0L) == version) {
              open.addAll(some);
            }
          });
      return open;
    }
  }

  /// Fetches the values of all slots for [PullRequest#atMost], which replace the known ones.
  Future<Pulled> pull(long atLeast, long atMost, Set<Integer> computed) {
    Set<Integer> done = Set.copyOf(computed);
    Map<Integer, Set<Integer>> open = new ConcurrentHashMap<>();
    return pull(
            pieces.slots(),
            known -> new PullRequest(self, settings.name(), known, atLeast, atMost, done),
            answer -> {
              replace(answer);
              open.putAll(answer.open());
            },
            _ -> {})
        .map(_ -> new Pulled(versions(), open));
  }

  private synchronized void replace(PullAnswer answer) {
    answer.values().values().forEach(values::putAll);
    versions.putAll(answer.answer().versions());
  }

  /// Returns the versions of the known values by slot.
  synchronized SortedMap<Integer, Long> versions() {
    return new TreeMap<>(versions);
  }

  /// Returns the highest version of the known values; 0 if none are known.
  public synchronized long newest() {
    return versions.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /// Forgets all values, so that the next pull fetches them again.
  synchronized void forget() {
    versions.clear();
  }

  /// Returns the known values of all parameters by name.
  public Map<String, Tensor> values() {
    return pieces.parameters().stream()
        .collect(Collectors.toMap(name -> name, name -> pieces.join(name, values)));
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
    return catchUp().compose(_ -> push(self, ++pushes, optimizer, gradients, examples));
  }

  /// Takes part, without gradients, in the steps that some slots took before this trainer joined
  /// them and others take afterwards. Its clock is the same in all slots then; otherwise two
  /// trainers could wait for each other forever, in different slots.
  private Future<Void> catchUp() {
    long difference = joined.difference();
    if (difference == 0 || !Consistency.parse(settings.consistency()).waitsForAll()) {
      return Future.succeededFuture();
    }
    SortedSet<Integer> lowest = joined.lowest(); // which nobody holds up for whom this one waits
    return push(lowest, self, 1 - difference, settings.optimizer(), Map.of(), 0)
        .compose(
            _ -> {
              joined.advance(lowest);
              return catchUp();
            });
  }

  /// Pushes gradients of a trainer or shard.
  Future<Long> push(
      Life contributor,
      long number,
      OptimizerSpec optimizer,
      Map<String, Tensor> gradients,
      int examples) {
    return push(pieces.slots(), contributor, number, optimizer, gradients, examples);
  }

  private Future<Long> push(
      Collection<Integer> wanted,
      Life contributor,
      long number,
      OptimizerSpec optimizer,
      Map<String, Tensor> gradients,
      int examples) {
    Map<Integer, PartPush> parts =
        bySlot(
            wanted,
            slot -> {
              List<Tensor> cut = List.copyOf(pieces.cut(slot, gradients).values());
              return new PartPush(number, optimizer, cut, examples);
            });
    Map<Integer, Long> reached = Collections.synchronizedMap(new HashMap<>());
    return ask(
            wanted,
            (server, slots) ->
                calls.push(
                    server,
                    new PushRequest(contributor, settings.name(), bySlot(slots, parts::get))),
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
  interface SlotRequest {
    Future<SlotAnswer> send(Life server, Collection<Integer> slots);
  }

  /// Receives the versions of the answered slots.
  @FunctionalInterface
  interface Answered {
    void accept(Map<Integer, Long> versions);
  }

  Future<Void> ask(Collection<Integer> slots, SlotRequest request, Answered answered) {
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
      vainRequests = 0;
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
    return newerMap().compose(_ -> ask(slots, request, answered, end));
  }

  /// Asks a server for a newer map after a pause, once for all requests that wait for one. The
  /// pause grows: when a server has died, the others need the processors to take over.
  private synchronized Future<Void> newerMap() {
    Future<Void> asked = mapRequest;
    if (asked.isComplete()) {
      Promise<Void> pause = Promise.promise();
      calls.after(
          RETRY.multipliedBy(1L << Math.min(vainRequests++, MAX_DOUBLINGS)), pause::complete);
      asked =
          pause
              .future()
              .compose(_ -> calls.map(turn++, map))
              .<Void>map(
                  newer -> {
                    learn(newer);
                    return null;
                  })
              .otherwiseEmpty();
      mapRequest = asked;
    }
    return asked;
  }
}
