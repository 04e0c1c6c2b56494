// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// When the members of a group are answered.
class RoundTest {
  private final List<SortedMap<Integer, String>> batches = new ArrayList<>();
  private final Members<Integer> members = Members.open("member");
  private final Round<Integer, String, String> round = new Round<>(members, this::shout);

  private String shout(SortedMap<Integer, String> batch) {
    batches.add(batch);
    return String.join(" and ", batch.values()) + "!";
  }

  @Test
  void allAreAnsweredWhenTheLastMemberHasCalled() {
    join(1, 2);
    Future<String> second = round.add(2, "two");
    assertThat(second.isComplete()).isFalse();
    Future<String> first = round.add(1, "one");
    assertThat(List.of(first.result(), second.result())).containsOnly("one and two!");
  }

  @Test
  void theFunctionGetsTheArgumentsInTheOrderOfMembers() {
    join(1, 2, 3);
    round.add(3, "c");
    round.add(1, "a");
    round.add(2, "b");
    assertThat(batches).hasSize(1);
    assertThat(batches.getFirst()).containsExactly(entry(1, "a"), entry(2, "b"), entry(3, "c"));
  }

  @Test
  void aBatchBeginsWhenTheOneBeforeIsAnswered() {
    join(1, 2);
    round.add(1, "a");
    round.add(2, "b");
    Future<String> next = round.add(1, "c");
    assertThat(next.isComplete()).isFalse();
    round.add(2, "d");
    assertThat(next.result()).isEqualTo("c and d!");
    assertThat(batches).hasSize(2);
  }

  @Test
  void nobodyWaitsForAMemberThatHasLeft() {
    join(1, 2);
    Future<String> first = round.add(1, "one");
    assertThat(members.leave(2)).isTrue();
    assertThat(first.result()).isEqualTo("one!");
    assertThat(members.remaining()).isEqualTo(1);
    assertThat(members.leave(2)).isFalse();
  }

  @Test
  void theCallOfAMemberThatHasLeftStaysInItsBatch() {
    join(1, 2);
    round.add(1, "one");
    members.leave(1);
    assertThat(round.add(2, "two").result()).isEqualTo("one and two!");
    assertThat(batches.getFirst()).hasSize(2);
  }

  @Test
  void aBatchWithoutCallsIsNotProcessed() {
    join(1);
    members.leave(1);
    assertThat(batches).isEmpty();
  }

  @Test
  void anErrorFailsAllCallsOfItsBatchAndNoOther() {
    Round<Integer, Integer, Integer> quotients =
        new Round<>(
            members,
            round -> round.values().stream().reduce(12, (number, divisor) -> number / divisor));
    join(1, 2);
    Future<Integer> first = quotients.add(1, 3);
    Future<Integer> second = quotients.add(2, 0);
    assertThat(first.cause()).isInstanceOf(ArithmeticException.class).isSameAs(second.cause());
    Future<Integer> next = quotients.add(1, 3);
    quotients.add(2, 4);
    assertThat(next.result()).isEqualTo(1);
  }

  @Test
  void aCallTakesThePlaceOfAnEarlierOneOfTheSameMember() {
    join(1, 2);
    Future<String> given = round.add(1, "old");
    Future<String> again = round.add(1, "new");
    assertThat(given.cause()).isInstanceOf(CancellationException.class);
    round.add(2, "two");
    assertThat(again.result()).isEqualTo("new and two!");
  }

  @Test
  void aClosedGroupWaitsForMembersThatHaveYetToJoin() {
    Members<Integer> three = Members.expecting("member", 3);
    Round<Integer, String, String> closed = new Round<>(three, this::shout);
    three.join(1);
    Future<String> first = closed.add(1, "one");
    three.join(2);
    closed.add(2, "two");
    assertThat(first.isComplete()).isFalse();
    three.leave(3); // lost before it joined
    assertThat(first.result()).isEqualTo("one and two!");
  }

  @Test
  void aWithdrawnArgumentIsNotInTheRound() {
    join(1, 2);
    round.add(1, "one");
    round.withdraw(1);
    Future<String> second = round.add(2, "two");
    assertThat(second.isComplete()).isFalse();
    round.add(1, "again");
    assertThat(batches.getFirst()).containsExactly(entry(1, "again"), entry(2, "two"));
  }

  @Test
  void answersLeaveWithoutTheLock() throws InterruptedException {
    join(1);
    Thread other = Thread.ofVirtual().unstarted(() -> round.add(1, "again"));
    List<Boolean> ended = new ArrayList<>();
    join(2);
    round.add(1, "one").onSuccess(answer -> ended.add(runsToItsEnd(other)));
    round.add(2, "two");
    other.join();
    assertThat(ended).containsExactly(true);
  }

  private static boolean runsToItsEnd(Thread thread) {
    thread.start();
    try {
      return thread.join(World.PATIENCE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theFirstMemberIsAnsweredLast() {
    List<Integer> answered = new ArrayList<>();
    join(1, 2, 3);
    for (int member = 1; member <= 3; member++) {
      int answeredMember = member;
      round.add(member, "here").onSuccess(_ -> answered.add(answeredMember));
    }
    // The last call is answered before anybody could listen to its future.
    assertThat(answered).containsExactly(2, 1, 3);
  }

  @Test
  void membersThatSomebodyElseKnowsAreWaitedFor() {
    Set<Integer> world = new TreeSet<>(List.of(1, 2));
    Round<Integer, String, String> watched =
        new Round<>((Collection<Integer> arrived) -> arrived.containsAll(world), this::shout);
    Future<String> first = watched.add(1, "one");
    assertThat(watched.arrived()).containsExactly(1);
    world.remove(2);
    watched.processIfFull();
    assertThat(first.result()).isEqualTo("one!");
    assertThat(watched.arrived()).isEmpty();
  }

  @Test
  void theEndOfTheRoundsIsTheResultOfThoseThatWaitAndOfThoseThatComeLater() {
    join(1, 2);
    Future<String> waiting = round.add(1, "one");
    round.end("over");
    round.end("again"); // too late
    assertThat(waiting.result()).isEqualTo("over");
    assertThat(round.add(2, "two").result()).isEqualTo("over");
    assertThat(batches).isEmpty();
  }

  @Test
  void theListenerHearsOfEachCallBeforeTheBatchIsProcessed() {
    List<String> events = new ArrayList<>();
    Round<Integer, String, String> heard =
        new Round<>(
            members,
            round -> {
              events.add("processed");
              return String.join(" and ", round.values());
            },
            waiting -> events.add(waiting + "/" + members.remaining()));
    join(1, 2);
    heard.add(1, "one");
    heard.add(2, "two");
    assertThat(events).containsExactly("1/2", "2/2", "processed");
  }

  private void join(int... ranks) {
    for (int rank : ranks) {
      members.join(rank);
    }
  }

  private static Map.Entry<Integer, String> entry(int member, String argument) {
    return Map.entry(member, argument);
  }
}
