// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Members that call, and when they are answered.
class BatchedCallsTest {
  private final List<SortedMap<Integer, String>> batches = new ArrayList<>();
  private final BatchedCalls<String, String> calls = new BatchedCalls<>(this::shout);

  private List<String> shout(SortedMap<Integer, String> batch) {
    batches.add(batch);
    return batch.values().stream().map(text -> text + "!").toList();
  }

  @Test
  void allAreAnsweredWhenTheLastMemberHasCalled() {
    join(1, 2);
    Future<String> second = calls.add(2, "two");
    assertThat(second.isComplete()).isFalse();
    Future<String> first = calls.add(1, "one");
    assertThat(List.of(first.result(), second.result())).containsExactly("one!", "two!");
  }

  @Test
  void theFunctionGetsTheArgumentsInTheOrderOfMembers() {
    join(1, 2, 3);
    calls.add(3, "c");
    calls.add(1, "a");
    calls.add(2, "b");
    assertThat(batches).hasSize(1);
    assertThat(batches.getFirst()).containsExactly(entry(1, "a"), entry(2, "b"), entry(3, "c"));
  }

  @Test
  void aBatchBeginsWhenTheOneBeforeIsAnswered() {
    join(1, 2);
    calls.add(1, "a");
    calls.add(2, "b");
    Future<String> next = calls.add(1, "c");
    assertThat(next.isComplete()).isFalse();
    calls.add(2, "d");
    assertThat(next.result()).isEqualTo("c!");
    assertThat(batches).hasSize(2);
  }

  @Test
  void nobodyWaitsForAMemberThatHasLeft() {
    join(1, 2);
    Future<String> first = calls.add(1, "one");
    assertThat(calls.leave(2)).isTrue();
    assertThat(first.result()).isEqualTo("one!");
    assertThat(calls.members()).isEqualTo(1);
    assertThat(calls.leave(2)).isFalse();
  }

  @Test
  void theCallOfAMemberThatHasLeftStaysInItsBatch() {
    join(1, 2);
    calls.add(1, "one");
    calls.leave(1);
    assertThat(calls.add(2, "two").result()).isEqualTo("two!");
    assertThat(batches.getFirst()).hasSize(2);
  }

  @Test
  void aBatchWithoutCallsIsNotProcessed() {
    join(1);
    calls.leave(1);
    assertThat(batches).isEmpty();
  }

  @Test
  void anErrorFailsAllCallsOfItsBatchAndNoOther() {
    BatchedCalls<Integer, Integer> quotients =
        new BatchedCalls<>(batch -> batch.values().stream().map(divisor -> 12 / divisor).toList());
    quotients.join(1);
    quotients.join(2);
    Future<Integer> first = quotients.add(1, 3);
    Future<Integer> second = quotients.add(2, 0);
    assertThat(first.cause()).isInstanceOf(ArithmeticException.class).isSameAs(second.cause());
    Future<Integer> next = quotients.add(1, 3);
    quotients.add(2, 4);
    assertThat(next.result()).isEqualTo(4);
  }

  @Test
  void aCallTakesThePlaceOfAnEarlierOneOfTheSameMember() {
    join(1, 2);
    Future<String> given = calls.add(1, "old");
    Future<String> again = calls.add(1, "new");
    assertThat(given.cause()).isInstanceOf(CancellationException.class);
    calls.add(2, "two");
    assertThat(again.result()).isEqualTo("new!");
  }

  @Test
  void eachCallNeedsAResult() {
    BatchedCalls<String, String> silent = new BatchedCalls<>(batch -> List.of());
    silent.join(1);
    assertThat(silent.add(1, "one").cause())
        .hasMessage("a batch of 1 calls got 0 results; give one for each call");
  }

  @Test
  void answersLeaveWithoutTheLock() throws InterruptedException {
    join(1);
    Thread other = Thread.ofVirtual().unstarted(() -> calls.add(1, "again"));
    List<Boolean> ended = new ArrayList<>();
    join(2);
    calls.add(1, "one").onSuccess(answer -> ended.add(runsToItsEnd(other)));
    calls.add(2, "two");
    other.join();
    assertThat(ended).containsExactly(true);
  }

  private static boolean runsToItsEnd(Thread thread) {
    thread.start();
    try {
      return thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theListenerHearsOfEachCallBeforeTheBatchIsProcessed() {
    List<String> events = new ArrayList<>();
    BatchedCalls<String, String> heard =
        new BatchedCalls<>(
            batch -> {
              events.add("processed");
              return List.copyOf(batch.values());
            },
            (group, waiting) -> events.add(waiting + "/" + group.members()));
    heard.join(1);
    heard.join(2);
    heard.add(1, "one");
    heard.add(2, "two");
    assertThat(events).containsExactly("1/2", "2/2", "processed");
  }

  private void join(int... members) {
    for (int member : members) {
      calls.join(member);
    }
  }

  private static Map.Entry<Integer, String> entry(int member, String argument) {
    return Map.entry(member, argument);
  }
}
