// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.nn.ThreadModes;
import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.rpc.group.Round;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Computes the results of all members' calls together, for example with one forward pass. Uses a
/// [Round] with one result per member. Like PyTorch's tutorial "Implementing Batch RPC Processing
/// Using Asynchronous Executions".
///
/// ```java
/// @Remote
/// Future<Integer> selectAction(int observer, float[] state) {
///   return actions.call(observer, row(state));
/// }
/// ```
///
/// @param <K> the type of the members' keys
/// @param <A> the type of each member's argument
/// @param <R> the type of each member's result
public final class BatchedCalls<K extends Comparable<K>, A, R> {
  private final Round<K, Call<A>, Map<K, R>> round;
  private final Function<SortedMap<K, A>, List<R>> function;

  /// @param modes the modes, such as evaluation mode, of the calling thread
  private record Call<A>(A argument, ThreadModes modes) {}

  /// Creates batched calls for the members of a group.
  ///
  /// @param function returns a result for each argument, in the same order
  public BatchedCalls(Members<K> members, Function<SortedMap<K, A>, List<R>> function) {
    this.round = new Round<>(members, this::process);
    this.function = function;
  }

  /// Adds a member's call to the current batch, as [Round#add] does. All calls of a batch fail if
  /// some of them were made in [Evaluation][dev.tensorbus.nn.Evaluation] or
  /// [NoGrad][dev.tensorbus.autograd.NoGrad] and others were not.
  ///
  /// @return a future of the member's result, which completes when all members have called
  public Future<R> call(K member, A argument) {
    return round
        .add(member, new Call<>(argument, ThreadModes.here()))
        .map(results -> results.get(member));
  }

  private Map<K, R> process(SortedMap<K, Call<A>> calls) {
    SortedMap<K, A> arguments = new TreeMap<>();
    calls.forEach((member, call) -> arguments.put(member, call.argument));
    List<R> results = modes(calls).call(() -> function.apply(arguments));
    if (results.size() != calls.size()) {
      throw new IllegalStateException(
          "a round of %d arguments got %d results; return one for each argument"
              .formatted(calls.size(), results.size()));
    }
    Map<K, R> byMember = new HashMap<>();
    Iterator<R> next = results.iterator();
    calls.keySet().forEach(member -> byMember.put(member, next.next()));
    return byMember;
  }

  /// Returns the modes that all calls have in common.
  ///
  /// @throws IllegalStateException if the modes of the calls differ
  private ThreadModes modes(SortedMap<K, Call<A>> calls) {
    ThreadModes modes = calls.firstEntry().getValue().modes;
    calls.forEach(
        (member, call) -> {
          if (!call.modes.equals(modes)) {
            throw new IllegalStateException(
                "member %s called in %s and member %s in %s; use a BatchedCalls for each mode"
                    .formatted(calls.firstKey(), modes, member, call.modes));
          }
        });
    return modes;
  }
}
