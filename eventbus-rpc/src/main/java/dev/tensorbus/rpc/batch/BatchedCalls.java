// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.batch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/// Answers the calls of a group together: one function gets the arguments of all its members when
/// the last of them has called. No thread waits meanwhile. Nobody waits for a member that leaves.
/// After PyTorch's tutorial "Implementing Batch RPC Processing Using Asynchronous Executions".
///
/// ```java
/// @Remote
/// Future<StateDict> updateAndFetchModel(List<Tensor> gradients) {
///   return round.add(Rpc.caller().id(), gradients); // a BatchedCalls
/// }
/// ```
///
/// A member is known by a number, such as its worker's rank. Any number of threads may call.
///
/// @param <A> each member's argument
/// @param <R> each member's result
public final class BatchedCalls<A, R> {
  private final Function<SortedMap<Integer, A>, List<R>> function;
  private final ObjIntConsumer<BatchedCalls<A, R>> listener;
  private final Set<Integer> members = new HashSet<>();
  private SortedMap<Integer, Call<A, R>> waiting = new TreeMap<>();

  private record Call<A, R>(A argument, Promise<R> result) {}

  /// A group without members.
  ///
  /// @param function gives the results for the arguments of a batch, both in the order of members;
  ///     runs once for each batch, one batch after the other
  public BatchedCalls(Function<SortedMap<Integer, A>, List<R>> function) {
    this(function, (calls, waiting) -> {});
  }

  /// Also tells a listener of each call, before the batch is processed.
  ///
  /// @param listener gets this group and how many members wait now; must not block
  public BatchedCalls(
      Function<SortedMap<Integer, A>, List<R>> function,
      ObjIntConsumer<BatchedCalls<A, R>> listener) {
    this.function = function;
    this.listener = listener;
  }

  /// Adds a member, which every batch waits for from now on.
  public synchronized void join(int member) {
    members.add(member);
  }

  /// How many members every batch waits for.
  public synchronized int members() {
    return members.size();
  }

  /// Takes a member out of the group, and answers the others if they waited for this one alone. Its
  /// own call, if it waits, stays in the batch.
  ///
  /// @return whether it was a member
  public boolean leave(int member) {
    Runnable answers;
    synchronized (this) {
      if (!members.remove(member)) {
        return false;
      }
      answers = processIfComplete();
    }
    answers.run();
    return true;
  }

  /// Adds a member's call to the present batch. The result is there when the batch is complete. If
  /// the function throws, the calls of its batch fail with that error.
  ///
  /// A member that calls again before it is answered has given the first call up, which fails.
  public Future<R> add(int member, A argument) {
    Promise<R> result = Promise.promise();
    Runnable answers;
    synchronized (this) {
      Call<A, R> earlier = waiting.put(member, new Call<>(argument, result));
      listener.accept(this, waiting.size());
      Runnable batch = processIfComplete();
      answers = earlier == null ? batch : () -> replace(earlier, batch);
    }
    answers.run();
    return result.future();
  }

  private static void replace(Call<?, ?> earlier, Runnable answers) {
    earlier.result.fail(new CancellationException("the same member has called again"));
    answers.run();
  }

  /// Gives the answers to all who wait. They leave without the lock, which others may wait for.
  private Runnable processIfComplete() {
    if (waiting.isEmpty() || !waiting.keySet().containsAll(members)) {
      return () -> {};
    }
    SortedMap<Integer, Call<A, R>> batch = waiting;
    waiting = new TreeMap<>();
    List<Promise<R>> promises = new ArrayList<>();
    batch.values().forEach(call -> promises.add(call.result));
    try {
      List<R> results = process(batch);
      return () -> complete(promises, results);
    } catch (RuntimeException | Error e) {
      return () -> promises.forEach(promise -> promise.fail(e));
    }
  }

  private List<R> process(SortedMap<Integer, Call<A, R>> batch) {
    SortedMap<Integer, A> arguments = new TreeMap<>();
    batch.forEach((member, call) -> arguments.put(member, call.argument));
    List<R> results = function.apply(arguments);
    if (results.size() != batch.size()) {
      throw new IllegalStateException(
          "a batch of %d calls got %d results; give one for each call"
              .formatted(batch.size(), results.size()));
    }
    return results;
  }

  private static <R> void complete(List<Promise<R>> promises, List<R> results) {
    for (int i = 0; i < promises.size(); i++) {
      promises.get(i).complete(results.get(i));
    }
  }
}
