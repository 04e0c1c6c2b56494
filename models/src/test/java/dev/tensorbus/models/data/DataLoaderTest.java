// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tensorbus.models.data.DataLoader.Position;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DataLoaderTest {
  private final Dataset<Integer> numbers = Dataset.of(IntStream.range(0, 100).boxed().toList());

  private DataLoader<Integer, List<Integer>> batchesOf(int size) {
    return DataLoader.of(numbers, size, examples -> examples);
  }

  private static <B> List<B> epoch(DataLoader<?, B> loader) {
    List<B> batches = new ArrayList<>();
    loader.forEach(batches::add);
    return batches;
  }

  private static List<Integer> examples(DataLoader<?, List<Integer>> loader) {
    return epoch(loader).stream().flatMap(List::stream).toList();
  }

  @Test
  void anEpochHasEachExampleOnceAndTheLastBatchHoldsTheRest() {
    assertThat(batchesOf(32).size()).isEqualTo(4);
    assertThat(epoch(batchesOf(32))).extracting(List::size).containsExactly(32, 32, 32, 4);
    assertThat(examples(batchesOf(32))).isSorted().hasSize(100);
  }

  @Test
  void theLastBatchCanBeDropped() {
    assertThat(batchesOf(32).dropLast().size()).isEqualTo(3);
    assertThat(epoch(batchesOf(32).dropLast())).extracting(List::size).containsOnly(32).hasSize(3);
  }

  @Test
  void equalSeedsGiveEqualEpochsAndEachEpochHasAnOrderOfItsOwn() {
    var one = batchesOf(32).shuffled(1);
    var other = batchesOf(32).shuffled(1);
    List<Integer> first = examples(one);
    assertThat(first).doesNotHaveDuplicates().hasSize(100).isNotEqualTo(examples(batchesOf(32)));
    assertThat(examples(other)).isEqualTo(first);
    assertThat(examples(one)).isNotEqualTo(first).isEqualTo(examples(other));
    assertThat(examples(batchesOf(32).shuffled(2))).isNotEqualTo(first);
  }

  @Test
  void workersShareTheExamples() {
    List<Integer> all = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      all.addAll(examples(batchesOf(10).shuffled(1).shard(rank, 4)));
    }
    assertThat(all).doesNotHaveDuplicates().hasSize(100);
  }

  @Test
  void sharesAreOfOneSizeAlsoWhereTheExamplesDoNotGoRound() {
    Set<Integer> all = ConcurrentHashMap.newKeySet();
    for (int rank = 0; rank < 3; rank++) {
      List<Integer> share = examples(batchesOf(10).shard(rank, 3));
      assertThat(share).hasSize(34);
      all.addAll(share);
    }
    assertThat(all).hasSize(100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batchesOf(10).shard(3, 3))
        .withMessage("shard 3 of 3; expected a number from 0 to 2");
  }

  @Test
  void prefetchingChangesNothingButWhoMakesTheBatches() {
    Set<Boolean> isAhead = ConcurrentHashMap.newKeySet();
    Dataset<Integer> watched =
        numbers.map(
            number -> {
              isAhead.add(Thread.currentThread().isVirtual());
              return number;
            });
    var loader = DataLoader.of(watched, 7, examples -> examples).shuffled(1);
    assertThat(epoch(loader.prefetch(3))).isEqualTo(epoch(batchesOf(7).shuffled(1)));
    assertThat(isAhead).containsExactly(true);
    epoch(loader);
    assertThat(isAhead).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void aRunIsResumedWithinAnEpoch() {
    var whole = batchesOf(10).shuffled(1);
    epoch(whole);
    Iterator<List<Integer>> second = whole.iterator();
    second.next();
    second.next();
    Position position = whole.position();
    assertThat(position).isEqualTo(new Position(1, 2));

    var resumed = batchesOf(10).shuffled(1).prefetch(2);
    resumed.resume(position);
    List<List<Integer>> rest = new ArrayList<>();
    second.forEachRemaining(rest::add);
    assertThat(epoch(resumed)).isEqualTo(rest).hasSize(8);
    assertThat(resumed.position()).isEqualTo(new Position(2, 0)).isEqualTo(whole.position());
  }

  @Test
  void whatAnExampleThrowsReachesWhoTakesItsBatch() {
    for (int ahead : new int[] {0, 2}) {
      var loader =
          DataLoader.of(numbers.map(number -> 10 / (number - 15)), 10, examples -> examples)
              .prefetch(ahead);
      Iterator<List<Integer>> epoch = loader.iterator();
      epoch.next();
      assertThatExceptionOfType(ArithmeticException.class).isThrownBy(epoch::next);
    }
  }

  @Test
  void anEpochEnds() {
    Iterator<List<Integer>> epoch = batchesOf(100).iterator();
    epoch.next();
    assertThat(epoch.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(epoch::next);
  }

  @Test
  void anEpochThatIsLeftEarlyIsFollowedByTheNext() {
    var loader = batchesOf(10).shuffled(1);
    loader.iterator().next();
    var other = batchesOf(10).shuffled(1);
    epoch(other);
    assertThat(epoch(loader)).hasSize(10).isEqualTo(epoch(other));
  }

  @Test
  void twoIterationsOverOneLoaderAreRefused() {
    var loader = batchesOf(10);
    Iterator<List<Integer>> first = loader.iterator();
    first.next();
    loader.iterator().next();
    assertThatIllegalStateException()
        .isThrownBy(first::next)
        .withMessage("another iteration over this loader has begun; go on with that one");
  }

  @Test
  void sizesThatAreNoneAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batchesOf(0))
        .withMessage("batch size 0 must be 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batchesOf(1).prefetch(-1))
        .withMessage("prefetch -1 must be 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batchesOf(1).resume(new Position(0, -1)))
        .withMessage("epoch 0, batch -1; expected 0 or more");
  }
}
