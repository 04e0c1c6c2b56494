// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Collects one argument from each member of a group. When the last argument has arrived, calls a
/// function with all arguments, returns the result to every member, and starts the next round.
/// Blocks no thread. A round does not wait for members that have left.
///
/// ```java
/// @Remote
/// Future<StateDict> updateAndFetchModel(List<Tensor> gradients) {
///   return round.add(Rpc.caller().id(), gradients);
/// }
/// ```
///
/// Thread-safe. The function gets the arguments in the order of the members' keys, so that equal
/// rounds give identical bits. It runs with the round's lock held. The members' futures complete
/// without the lock, in reverse order of the keys: the first member may lead the others and so must
/// continue last.
///
/// @param <K> the type of the members' keys
/// @param <A> the type of each member's argument
/// @param <R> the type of the result
public final class Round<K extends Comparable<K>, A, R> {
  private final Predicate<Collection<K>> isFull;
  private final Function<SortedMap<K, A>, R> function;
  private final IntConsumer listener;
  private SortedMap<K, Call<A, R>> waiting = new TreeMap<>();
  private @Nullable Future<R> end;

  private record Call<A, R>(A argument, Promise<R> result) {}

  /// Creates the rounds of a group.
  ///
  /// @param function returns the result for all members
  public Round(Members<K> members, Function<SortedMap<K, A>, R> function) {
    this(members, function, waiting -> {});
  }

  /// Creates the rounds of a group, with a listener that is called for each argument.
  ///
  /// @param function returns the result for all members
  /// @param listener receives the number of arguments in the current round, before the round is
  ///     processed; must not block
  public Round(Members<K> members, Function<SortedMap<K, A>, R> function, IntConsumer listener) {
    this(members::areAllIn, function, listener);
    members.onDeparture(_ -> processIfFull());
  }

  /// Creates the rounds of a group whose members are tracked elsewhere. The caller must call
  /// [#processIfFull] after each departure.
  ///
  /// @param isFull returns whether the given keys include all members
  /// @param function returns the result for all members
  public Round(Predicate<Collection<K>> isFull, Function<SortedMap<K, A>, R> function) {
    this(isFull, function, waiting -> {});
  }

  private Round(
      Predicate<Collection<K>> isFull,
      Function<SortedMap<K, A>, R> function,
      IntConsumer listener) {
    this.isFull = isFull;
    this.function = function;
    this.listener = listener;
  }

  /// Adds a member's argument to the current round. The argument stays in the round if the member
  /// leaves.
  ///
  /// If the function throws, the futures of all members fail with that error. A second argument of
  /// the same member in the same round replaces the first, and the first future fails with
  /// [CancellationException].
  ///
  /// @return a future of the result, which completes when the round is full
  public Future<R> add(K member, A argument) {
    Promise<R> result = Promise.promise();
    Call<A, R> replaced;
    Runnable answers;
    synchronized (this) {
      if (end != null) {
        return end;
      }
      replaced = waiting.put(member, new Call<>(argument, result));
      listener.accept(waiting.size());
      answers = process();
    }
    if (replaced != null) {
      replaced.result.fail(new CancellationException("the same member has called again"));
    }
    answers.run();
    return result.future();
  }

  /// Removes a member's argument from the current round. The argument's future never completes.
  public synchronized void withdraw(K member) {
    waiting.remove(member);
  }

  /// Returns the members whose arguments are in the current round.
  public synchronized SortedSet<K> arrived() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(waiting.keySet()));
  }

  /// Processes the current round if it is full.
  public void processIfFull() {
    process().run();
  }

  /// Ends the rounds. Completes the futures of all waiting members, and of all later calls, with
  /// `result`.
  public void end(R result) {
    List<Promise<R>> promises;
    synchronized (this) {
      if (end != null) {
        return;
      }
      end = Future.succeededFuture(result);
      promises = takePromises();
    }
    promises.forEach(promise -> promise.complete(result));
  }

  /// Processes the round if it is full.
  ///
  /// @return an action that completes the futures
  private synchronized Runnable process() {
    if (waiting.isEmpty() || !isFull.test(waiting.keySet())) {
      return () -> {};
    }
    SortedMap<K, A> arguments = new TreeMap<>();
    waiting.forEach((member, call) -> arguments.put(member, call.argument));
    List<Promise<R>> promises = takePromises();
    try {
      R result = function.apply(arguments);
      return () -> promises.forEach(promise -> promise.complete(result));
    } catch (RuntimeException | Error e) {
      return () -> promises.forEach(promise -> promise.fail(e));
    }
  }

  /// Empties the round and returns the members' promises in reverse order.
  private List<Promise<R>> takePromises() {
    List<Promise<R>> promises = new ArrayList<>();
    waiting.values().forEach(call -> promises.add(call.result));
    waiting = new TreeMap<>();
    return promises.reversed();
  }
}
