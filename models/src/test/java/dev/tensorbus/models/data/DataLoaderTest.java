// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataLoader.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
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
        .withMessage("shard 3 of 3; expected a rank from 0 to 2");
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
  void aBatchWithAnExampleThatThrowsIsLostAndTheEpochGoesOn() {
    for (int ahead : new int[] {0, 1, 2, 20}) {
      var loader =
          DataLoader.of(numbers.map(DataLoaderTest::failing), 10, examples -> examples)
              .prefetch(ahead);
      List<Integer> taken = new ArrayList<>();
      List<String> thrown = new ArrayList<>();
      Iterator<List<Integer>> epoch = loader.iterator();
      for (int batch = 1; epoch.hasNext(); batch++) {
        try {
          taken.addAll(epoch.next());
        } catch (DataException e) {
          thrown.add(e.getMessage());
        }
        assertThat(loader.position())
            .isEqualTo(batch == 10 ? new Position(1, 0) : new Position(0, batch));
      }
      assertThat(thrown).containsExactly("15 is damaged", "93 is damaged");
      assertThat(taken)
          .containsExactlyElementsOf(
              IntStream.range(0, 90).filter(i -> i / 10 != 1).boxed().toList());
    }
  }

  @Test
  void aRunIsResumedAfterABatchThatWasLost() {
    var damaged = DataLoader.of(numbers.map(DataLoaderTest::failing), 10, examples -> examples);
    Iterator<List<Integer>> epoch = damaged.iterator();
    epoch.next();
    assertThatExceptionOfType(DataException.class).isThrownBy(epoch::next);
    var resumed = batchesOf(10);
    resumed.resume(damaged.position());
    assertThat(epoch(resumed).getFirst()).startsWith(20);
  }

  private static int failing(int number) {
    if (number == 15 || number == 93) {
      throw new DataException(number + " is damaged");
    }
    return number;
  }

  @Test
  void anInterruptLosesNoBatch() {
    CountDownLatch go = new CountDownLatch(1);
    Dataset<Integer> slow =
        numbers.map(
            number -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return number;
            });
    Iterator<List<Integer>> epoch =
        DataLoader.of(slow, 50, examples -> examples).prefetch(1).iterator();
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(CancellationException.class).isThrownBy(epoch::next);
    assertThat(Thread.interrupted()).isTrue();
    go.countDown();
    assertThat(epoch.next()).startsWith(0);
  }

  @Test
  void anIterationOverADataSetGoesOnAfterAnExampleThatThrows() {
    Iterator<Integer> examples = numbers.map(DataLoaderTest::failing).iterator();
    int count = 0;
    int failures = 0;
    while (examples.hasNext()) {
      try {
        examples.next();
        count++;
      } catch (DataException e) {
        failures++;
      }
    }
    assertThat(count).isEqualTo(98);
    assertThat(failures).isEqualTo(2);
  }

  /// A setting, and what must hold for each loader that has it.
  private enum Setting {
    SHUFFLED(loader -> loader.shuffled(1)) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        assertThat(examples(loader)).doesNotHaveDuplicates();
        assertThat(isSorted(loader)).isFalse();
      }
    },
    WEIGHTED(loader -> loader.with(Sampler.weighted(onlyThree(), 100, 1))) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        assertThat(examples(loader)).isNotEmpty().containsOnly(7, 8, 9);
      }
    },
    SHARDED(loader -> loader.shard(1, 3)) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        assertThat(examples(loader)).hasSizeBetween(10, 34);
      }
    },
    WITHOUT_LAST(DataLoader::dropLast) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        assertThat(epoch(loader)).extracting(List::size).containsOnly(3);
      }
    },
    PREFETCHED(loader -> loader.prefetch(2)) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        epoch(loader);
        assertThat(MADE_AHEAD).containsExactly(true);
      }
    },
    RESUMED(DataLoaderTest::resumed) {
      @Override
      void require(DataLoader<Integer, List<Integer>> loader) {
        assertThat(loader.position()).isEqualTo(new Position(3, 4));
        loader.iterator().next();
        assertThat(loader.position()).isEqualTo(new Position(3, 5));
      }
    };

    private static final Set<Boolean> MADE_AHEAD = ConcurrentHashMap.newKeySet();

    private final UnaryOperator<DataLoader<Integer, List<Integer>>> change;

    Setting(UnaryOperator<DataLoader<Integer, List<Integer>>> change) {
      this.change = change;
    }

    abstract void require(DataLoader<Integer, List<Integer>> loader);

    private static boolean isSorted(DataLoader<Integer, List<Integer>> loader) {
      List<Integer> examples = examples(loader);
      return examples.equals(examples.stream().sorted().toList());
    }
  }

  private static double[] onlyThree() {
    double[] weights = new double[100];
    Arrays.fill(weights, 7, 10, 1);
    return weights;
  }

  private static DataLoader<Integer, List<Integer>> resumed(
      DataLoader<Integer, List<Integer>> loader) {
    loader.resume(new Position(3, 4));
    return loader;
  }

  @Test
  void eachPairOfSettingsHoldsOrIsRefused() {
    Set<Set<Setting>> refused = new HashSet<>();
    for (Setting first : Setting.values()) {
      for (Setting second : Setting.values()) {
        for (Setting checked : List.of(first, second)) {
          Setting.MADE_AHEAD.clear();
          DataLoader<Integer, List<Integer>> loader;
          try {
            loader = second.change.apply(first.change.apply(watched()));
          } catch (IllegalStateException e) {
            assertThat(e)
                .hasMessage(
                    "data loader: shuffled or with has already chosen an order; call only one of"
                        + " them");
            refused.add(EnumSet.of(first, second));
            continue;
          }
          checked.require(loader);
        }
      }
    }
    assertThat(refused)
        .containsExactlyInAnyOrder(
            Set.of(Setting.SHUFFLED),
            Set.of(Setting.WEIGHTED),
            Set.of(Setting.SHUFFLED, Setting.WEIGHTED));
  }

  private DataLoader<Integer, List<Integer>> watched() {
    Dataset<Integer> watched =
        numbers.map(
            number -> {
              Setting.MADE_AHEAD.add(Thread.currentThread().isVirtual());
              return number;
            });
    return DataLoader.of(watched, 3, examples -> examples);
  }

  @Test
  void theOrderOfSettingsIsNone() {
    assertThat(examples(batchesOf(12).shard(1, 3).shuffled(1)))
        .isEqualTo(examples(batchesOf(12).shuffled(1).shard(1, 3)));
    Sampler weighted = Sampler.weighted(onlyThree(), 30, 1);
    assertThat(examples(batchesOf(12).shard(1, 3).with(weighted)))
        .isEqualTo(examples(batchesOf(12).with(weighted).shard(1, 3)))
        .hasSize(10);
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
        .withMessage("another iteration over this loader has started; continue with that one");
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

  @Test
  void theRowsOfABatchAreLoadedInBatches() {
    Tensor inputs = Tensor.of(Shape.of(3, 2), new float[] {0, 1, 2, 3, 4, 5});
    Tensor targets = Tensor.of(Shape.of(3, 1), new float[] {7, 8, 9});
    List<Batch> batches = new ArrayList<>();
    DataLoader.of(new Batch(inputs, targets), 2).forEach(batches::add);
    assertThat(batches).hasSize(2);
    assertThat(batches.get(0).inputs().values()).containsExactly(0, 1, 2, 3);
    assertThat(batches.get(0).targets().values()).containsExactly(7, 8);
    assertThat(batches.get(1).inputs().shape()).isEqualTo(Shape.of(1, 2));
    assertThat(batches.get(1).targets().shape()).isEqualTo(Shape.of(1, 1));
  }
}
