// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplerTest {
  @Test
  void examplesAreDrawnAsOftenAsTheirWeightsSay() {
    int[] drawn = Sampler.weighted(new double[] {1, 0, 6, 3}, 10_000, 1).order(0);
    assertThat(drawn).hasSize(10_000).doesNotContain(1);
    double[] expected = {0.1, 0, 0.6, 0.3};
    for (int example = 0; example < expected.length; example++) {
      int number = example;
      double share = IntStream.of(drawn).filter(each -> each == number).count() / 10_000.0;
      assertThat(share)
          .as("example %d", number)
          .isBetween(expected[number] - 0.02, expected[number] + 0.02);
    }
  }

  @Test
  void eachEpochDrawsOthers() {
    Sampler sampler = Sampler.weighted(new double[] {1, 1, 1}, 50, 1);
    assertThat(sampler.order(1)).isNotEqualTo(sampler.order(0));
    assertThat(sampler.order(1)).isEqualTo(sampler.order(1));
  }

  @Test
  void noEpochIsAnotherOneShiftedNorAnotherSeeds() {
    int[] first = Sampler.weighted(new double[] {1, 1, 1}, 50, 1).order(0);
    for (int[] other :
        List.of(
            Sampler.weighted(new double[] {1, 1, 1}, 50, 1).order(1),
            Sampler.weighted(new double[] {1, 1, 1}, 50, 2).order(0))) {
      for (int shift = 0; shift < 20; shift++) {
        assertThat(Arrays.copyOfRange(first, shift, shift + 30))
            .isNotEqualTo(Arrays.copyOf(other, 30));
      }
    }
    assertThat(Sampler.shuffled(100, 1).order(1)).isNotEqualTo(Sampler.shuffled(100, 2).order(0));
  }

  @Test
  void weightsThatAreNoneAreRefused() {
    for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Sampler.weighted(new double[] {1, weight}, 5, 1))
          .withMessage("the weight of example 1 is " + weight + "; expected 0 or more");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sampler.weighted(new double[] {0, 0}, 5, 1))
        .withMessage("all 2 weights are 0; expected at least one above 0");
  }

  @Test
  void aDataSetIsSplitAtRandomAndNothingIsLost() {
    Dataset<Integer> numbers = Dataset.of(IntStream.range(0, 100).boxed().toList());
    List<Dataset<Integer>> parts = numbers.randomSplit(new SplittableRandom(1), 80, 20);
    List<Integer> training = examples(parts.get(0));
    List<Integer> validation = examples(parts.get(1));
    assertThat(training).hasSize(80).doesNotContainAnyElementsOf(validation);
    assertThat(validation).hasSize(20);
    assertThat(examples(numbers.randomSplit(new SplittableRandom(1), 80, 20).get(1)))
        .isEqualTo(validation);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> numbers.randomSplit(new SplittableRandom(1), 80, 10))
        .withMessage("sizes [80, 10] do not add up to the 100 examples; use sizes that do");
  }

  private static List<Integer> examples(Dataset<Integer> part) {
    return IntStream.range(0, part.size()).mapToObj(part::get).toList();
  }
}
