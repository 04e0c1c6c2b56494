// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The behaviour of all [Views]. The voters agree on a list of numbers without duplicates.
abstract class ViewsContract {
  /// Returns the voters.
  abstract List<Views<List<Integer>, Integer>> voters();

  /// Returns the list with a number at its end, or the same list if it contains the number.
  static List<Integer> add(List<Integer> list, int number) {
    if (number < 0) {
      throw new IllegalArgumentException(number + " is negative");
    }
    if (list.contains(number)) {
      return list;
    }
    List<Integer> longer = new ArrayList<>(list);
    longer.add(number);
    return List.copyOf(longer);
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.await(20, TimeUnit.SECONDS);
  }

  /// Waits without sleeping: each round lets a change be decided.
  void eventually(BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("20 s have passed").isNegative();
      await(voters().getFirst().propose(0));
    }
  }

  private Views<List<Integer>, Integer> first() {
    return voters().getFirst();
  }

  private Views<List<Integer>, Integer> last() {
    return voters().getLast();
  }

  @Test
  void aProposalCompletesWithTheStateAfterIt() throws Exception {
    assertThat(await(first().propose(1))).containsExactly(1);
    assertThat(first().current()).containsExactly(1);
    assertThat(await(last().propose(2))).containsExactly(1, 2);
  }

  @Test
  void concurrentProposalsAreAppliedOnceAndInOneOrder() throws Exception {
    List<Future<List<Integer>>> proposals = new ArrayList<>();
    for (int number = 1; number <= 60; number++) {
      proposals.add(voters().get(number % voters().size()).propose(number));
    }
    for (Future<List<Integer>> proposal : proposals) {
      await(proposal);
    }
    eventually(() -> voters().stream().map(Views::current).distinct().count() == 1);
    assertThat(first().current())
        .containsAll(IntStream.rangeClosed(1, 60).boxed().toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void listenersAreNotifiedOfEachStateInOrder() throws Exception {
    List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    last().onChange(state -> sizes.add(state.size()));
    for (int number = 1; number <= 10; number++) {
      await(first().propose(number));
      await(first().propose(number)); // which changes nothing
    }
    await(last().propose(11));
    assertThat(sizes).isEqualTo(IntStream.rangeClosed(1, 11).boxed().toList());
  }

  @Test
  void anExceptionOfTheFunctionFailsTheProposalOnly() throws Exception {
    assertThatThrownBy(() -> await(last().propose(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-1 is negative");
    assertThat(await(last().propose(1))).containsExactly(1);
  }

  @Test
  void allVotersAreLive() throws Exception {
    eventually(() -> voters().stream().allMatch(Views::isLive));
  }
}
