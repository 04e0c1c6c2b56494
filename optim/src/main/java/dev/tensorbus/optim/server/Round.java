// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.nn.ThreadModes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// Collects one argument from each member of a group, calls a function with all of them when the
/// last one has come, answers every member, and begins again. No thread is held meanwhile, and
/// nobody waits for a member that has left. After PyTorch's tutorial "Implementing Batch RPC
/// Processing Using Asynchronous Executions".
///
/// ```java
/// @Remote
/// Future<StateDict> updateAndFetchModel(List<Tensor> gradients) {
///   return round.add(Rpc.caller().id(), gradients);
/// }
/// ```
///
/// Safe for any number of threads. The function gets the arguments in the order of the members'
/// keys, so that equal rounds give equal bits; it runs under the round's lock, one round after the
/// other. Answers leave without the lock.
///
/// @param <K> the type of the members' keys
/// @param <A> the type of each member's argument
/// @param <R> the type of each member's result
public final class Round<K extends Comparable<K>, A, R> {
  private final Members<K> members;
  private final Function<SortedMap<K, A>, List<R>> function;
  private final IntConsumer listener;
  private SortedMap<K, Call<A, R>> waiting = new TreeMap<>();

  /// @param modes those of the thread that added the argument
  private record Call<A, R>(A argument, ThreadModes modes, Promise<R> result) {}

  /// Creates the rounds of a group.
  ///
  /// @param function returns a result for each argument, in the same order
  public Round(Members<K> members, Function<SortedMap<K, A>, List<R>> function) {
    this(members, function, waiting -> {});
  }

  /// Creates the rounds of a group, with a listener for each argument.
  ///
  /// @param function returns a result for each argument, in the same order
  /// @param listener gets the number of arguments that the present round has, before it is
  ///     processed; must not block
  public Round(
      Members<K> members, Function<SortedMap<K, A>, List<R>> function, IntConsumer listener) {
    this.members = members;
    this.function = function;
    this.listener = listener;
    members.onDeparture(_ -> processIfFull().run());
  }

  /// Returns the group.
  public Members<K> members() {
    return members;
  }

  /// Adds a member's argument to the present round. The argument stays in the round if the member
  /// leaves.
  ///
  /// If the function throws, all calls of its round fail with that error. So they do if some
  /// arguments were added in [Evaluation][dev.tensorbus.nn.Evaluation] or
  /// [NoGrad][dev.tensorbus.autograd.NoGrad] and others were not. If the member adds
  /// another argument to the same round, that one replaces the first, whose future fails with
  /// [CancellationException].
  ///
  /// @return a future of the member's result, which completes when the round is full
  public Future<R> add(K member, A argument) {
    Promise<R> result = Promise.promise();
    Call<A, R> replaced;
    Runnable answers;
    synchronized (this) {
      replaced = waiting.put(member, new Call<>(argument, ThreadModes.here(), result));
      listener.accept(waiting.size());
      answers = processIfFull();
    }
    if (replaced != null) {
      replaced.result.fail(new CancellationException("the same member has called again"));
    }
    answers.run();
    return result.future();
  }

  /// Takes a member's argument out of the present round. Its future never completes.
  public synchronized void withdraw(K member) {
    waiting.remove(member);
  }

  /// Processes the round if it is full.
  ///
  /// @return what completes the futures
  private synchronized Runnable processIfFull() {
    boolean isFull =
        !waiting.isEmpty()
            && members.isComplete()
            && waiting.keySet().containsAll(members.present());
    if (!isFull) {
      return () -> {};
    }
    SortedMap<K, Call<A, R>> full = waiting;
    waiting = new TreeMap<>();
    List<Promise<R>> promises = new ArrayList<>();
    full.values().forEach(call -> promises.add(call.result));
    try {
      List<R> results = process(full);
      return () -> complete(promises, results);
    } catch (RuntimeException | Error e) {
      return () -> promises.forEach(promise -> promise.fail(e));
    }
  }

  private List<R> process(SortedMap<K, Call<A, R>> full) {
    SortedMap<K, A> arguments = new TreeMap<>();
    full.forEach((member, call) -> arguments.put(member, call.argument));
    List<R> results = modes(full).call(() -> function.apply(arguments));
    if (results.size() != full.size()) {
      throw new IllegalStateException(
          "a round of %d arguments got %d results; return one for each argument"
              .formatted(full.size(), results.size()));
    }
    return results;
  }

  /// The modes in which all arguments were added, whichever thread processes them.
  private ThreadModes modes(SortedMap<K, Call<A, R>> full) {
    Map.Entry<K, Call<A, R>> first = full.firstEntry();
    ThreadModes modes = first.getValue().modes;
    full.forEach(
        (member, call) -> {
          if (!call.modes.equals(modes)) {
            throw new IllegalStateException(
                "member %s called in %s and member %s in %s; keep a round for each mode"
                    .formatted(first.getKey(), modes, member, call.modes));
          }
        });
    return modes;
  }

  private static <R> void complete(List<Promise<R>> promises, List<R> results) {
    for (int i = 0; i < promises.size(); i++) {
      promises.get(i).complete(results.get(i));
    }
  }
}
