// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Calls of several members that are computed together.
class BatchedCallsTest {
  private final List<SortedMap<Integer, String>> batches = new ArrayList<>();
  private final Members<Integer> members = Members.open("member");
  private final BatchedCalls<Integer, String, String> calls =
      new BatchedCalls<>(members, this::shout);

  private List<String> shout(SortedMap<Integer, String> batch) {
    batches.add(batch);
    return batch.values().stream().map(text -> text + "!").toList();
  }

  @BeforeEach
  void join() {
    members.join(1);
    members.join(2);
  }

  @Test
  void eachMemberGetsItsOwnResult() {
    Future<String> second = calls.call(2, "two");
    Future<String> first = calls.call(1, "one");
    assertThat(List.of(first.result(), second.result())).containsExactly("one!", "two!");
  }

  @Test
  void aBatchIsProcessedInTheModeOfItsArgumentsOnWhateverThread() {
    BatchedCalls<Integer, Integer, Boolean> asked =
        new BatchedCalls<>(members, batch -> Collections.nCopies(batch.size(), Evaluation.isOn()));
    Future<Boolean> first = Evaluation.call(() -> asked.call(1, 0));
    members.leave(2); // this thread processes it
    assertThat(first.result()).isTrue();
  }

  @Test
  void argumentsInSeveralModesAreNotProcessedTogether() {
    Future<String> first = calls.call(1, "one");
    Future<String> second = Evaluation.call(() -> calls.call(2, "two"));
    assertThat(first.cause())
        .isSameAs(second.cause())
        .hasMessage(
            "member 1 called in no mode and member 2 in NoGrad and Evaluation; use a BatchedCalls"
                + " for each mode");
    assertThat(batches).isEmpty();
  }

  @Test
  void eachCallNeedsAResult() {
    BatchedCalls<Integer, String, String> silent = new BatchedCalls<>(members, batch -> List.of());
    members.leave(2);
    assertThat(silent.call(1, "one").cause())
        .hasMessage("a round of 1 arguments got 0 results; return one for each argument");
  }
}
