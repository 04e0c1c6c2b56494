// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrokeDigitsTest {
  private final Digits digits = StrokeDigits.draw(1000, new SplittableRandom(1));

  @Test
  void equalSeedsDrawEqualPictures() {
    Digits again = StrokeDigits.draw(1000, new SplittableRandom(1));
    Digits other = StrokeDigits.draw(1000, new SplittableRandom(2));
    float[] pixels = pixels(digits);
    assertThat(pixels(again)).isEqualTo(pixels);
    assertThat(pixels(other)).isNotEqualTo(pixels);
  }

  @Test
  void aShorterSetIsTheStartOfALongerOne() {
    Digits start = StrokeDigits.draw(10, new SplittableRandom(1));
    int[] first = IntStream.range(0, 10).toArray();
    assertThat(pixels(start)).isEqualTo(pixels(digits.subset(first)));
  }

  @Test
  void everyDigitComesAboutEquallyOften() {
    int[] counts = new int[10];
    for (int i = 0; i < digits.size(); i++) {
      counts[digits.label(i)]++;
    }
    assertThat(IntStream.of(counts)).allMatch(count -> count > 60 && count < 140);
  }

  @Test
  void picturesHaveTheInkOfMnist() {
    double mean = 0;
    for (float pixel : pixels(digits)) {
      mean += pixel;
    }
    mean /= digits.size() * 784.0;
    assertThat(mean).as("MNIST's is 0, by its normalisation").isBetween(-0.2, 0.2);
  }

  @Test
  void everyPictureIsInkOnPaper() {
    for (int i = 0; i < digits.size(); i++) {
      int picture = i;
      int[] grey =
          IntStream.range(0, 784).map(p -> digits.pixel(picture, p / 28, p % 28)).toArray();
      assertThat(grey).as("picture %s", i).contains(0);
      assertThat(IntStream.of(grey).filter(pixel -> pixel > 128).count()).isBetween(15L, 400L);
    }
  }

  private static float[] pixels(Dataset<Example> digits) {
    return Batch.of(digits).inputs().values();
  }
}
