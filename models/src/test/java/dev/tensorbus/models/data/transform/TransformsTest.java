// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransformsTest {
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  /// An image of one channel with the values 1, 2, ….
  private static Tensor counted(int height, int width) {
    float[] values = new float[height * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = i + 1;
    }
    return Tensor.of(Shape.of(1, height, width), values);
  }

  @Test
  void theCentreIsCutOut() {
    assertThat(new CenterCrop(1, 2).apply(counted(3, 4)).values()).containsExactly(6, 7);
    assertThat(new CenterCrop(2, 2).apply(counted(2, 5)).values())
        .as("1.5 pixels are left out at the left, which are 2")
        .containsExactly(3, 4, 8, 9);
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> new CenterCrop(4, 2).apply(counted(3, 4)))
        .withMessage("center crop: 4x2 pixels do not fit in [1, 3, 4]; resize the image first");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CenterCrop(0, 1))
        .withMessage("center crop: 0x1 pixels; expected at least 1x1");
  }

  @Test
  void aRandomCropIsAnyPartOfTheImage() {
    Set<Float> corners = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      Tensor crop = new RandomCrop(2, 2, 0).apply(counted(3, 4), random);
      float corner = crop.values()[0];
      assertThat(crop.values()).containsExactly(corner, corner + 1, corner + 4, corner + 5);
      corners.add(corner);
    }
    assertThat(corners).as("seed %d", seed).containsExactlyInAnyOrder(1f, 2f, 3f, 5f, 6f, 7f);
  }

  @Test
  void aRandomCropCanBePaddedWithZeros() {
    Set<Float> pixels = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      pixels.add(new RandomCrop(1, 1, 1).apply(counted(1, 2), random).item());
    }
    assertThat(pixels).as("seed %d", seed).containsExactlyInAnyOrder(0f, 1f, 2f);
  }

  @Test
  void refusesARandomCropThatDoesNotFit() {
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> new RandomCrop(5, 8, 1).apply(counted(3, 4), random))
        .withMessage(
            "random crop: 5x8 pixels do not fit in [1, 3, 4] with a padding of 1;"
                + " resize the image first");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCrop(5, 8, -1))
        .withMessage("random crop: a padding of -1; expected 0 or more");
  }

  @Test
  void anImageIsMirroredAsOftenAsItsProbabilitySays() {
    Tensor image = counted(2, 2);
    assertThat(new RandomHorizontalFlip(1).apply(image, random).values())
        .containsExactly(2, 1, 4, 3);
    assertThat(new RandomHorizontalFlip(0).apply(image, random)).isSameAs(image);
    long mirrored =
        IntStream.range(0, 2000)
            .filter(_ -> new RandomHorizontalFlip(0.3).apply(image, random) != image)
            .count();
    assertThat(mirrored).as("seed %d", seed).isBetween(480L, 720L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomHorizontalFlip(Double.NaN))
        .withMessage("random horizontal flip: a probability of NaN; expected 0 to 1");
  }

  @Test
  void aQuarterTurnIsCounterClockwise() {
    float[] turned = RandomRotation.rotated(counted(2, 2), Math.PI / 2).values();
    assertThat(turned).containsExactly(new float[] {2, 4, 1, 3}, within(1e-5f));
    float[] wide = RandomRotation.rotated(counted(1, 3), Math.PI / 2).values();
    assertThat(wide).as("cut off").containsExactly(new float[] {0, 2, 0}, within(1e-5f));
  }

  @Test
  void aRotationInterpolatesAndKeepsTheMiddle() {
    Tensor image = Tensor.of(0, 0, 0, 0, 8, 0, 0, 0, 0).reshape(1, 3, 3);
    float[] turned = RandomRotation.rotated(image, Math.PI / 4).values();
    float near = (float) ((1 - Math.sqrt(0.5)) * (1 - Math.sqrt(0.5)) * 8);
    assertThat(turned)
        .containsExactly(new float[] {0, near, 0, near, 8, near, 0, near, 0}, within(1e-5f));
  }

  @Test
  void anAngleIsAtMostTheGivenOne() {
    Tensor image = counted(5, 5);
    assertThat(new RandomRotation(0).apply(image, random).values())
        .containsExactly(image.values(), within(1e-4f));
    assertThat(new RandomRotation(180).apply(image, random).values())
        .as("seed %d", seed)
        .isNotEqualTo(new RandomRotation(180).apply(image, random).values());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomRotation(181))
        .withMessage("random rotation: 181.0 degrees; expected 0 to 180");
  }

  @Test
  void channelsAreNormalizedOneByOne() {
    Tensor image = Tensor.of(1, 2, 3, 4).reshape(2, 1, 2);
    Tensor normalized = new Normalize(Tensor.of(1, 3), Tensor.of(1, 0.5f)).apply(image);
    assertThat(normalized.shape()).isEqualTo(Shape.of(2, 1, 2));
    assertThat(normalized.values()).containsExactly(0, 1, 0, 2);
  }

  @Test
  void refusesMeansAndDeviationsThatDoNotFit() {
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> new Normalize(Tensor.of(1, 3), Tensor.of(1)))
        .withMessage("normalize: mean [2] and std [1]; expected one value per channel");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Normalize(Tensor.of(1), Tensor.of(0f)))
        .withMessage("normalize: a standard deviation of 0.0; expected more than 0");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> new Normalize(Tensor.of(1), Tensor.of(1)).apply(Tensor.zeros(3, 1, 1)))
        .withMessage("normalize: [3, 1, 1] does not have 1 channels, as mean and std have");
  }

  @Test
  void greyIsTheBrightnessOfAColour() {
    Tensor image = Tensor.of(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1).reshape(3, 1, 4);
    Tensor grey = new Grayscale().apply(image);
    assertThat(grey.shape()).isEqualTo(Shape.of(1, 1, 4));
    assertThat(grey.values())
        .containsExactly(new float[] {0.299f, 0.587f, 0.114f, 1}, within(1e-6f));
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> new Grayscale().apply(Tensor.zeros(1, 2, 2)))
        .withMessage("grayscale: [1, 2, 2] does not have 3 channels; expected red, green and blue");
  }

  @Test
  void transformsFollowEachOther() {
    FixedTransform fixed = new CenterCrop(1, 2).then(new Normalize(Tensor.of(6), Tensor.of(0.5f)));
    assertThat(fixed.apply(counted(3, 4)).values()).containsExactly(0, 2);
    Transform mixed = fixed.then(new RandomHorizontalFlip(1)).then((image, _) -> image.scale(3));
    assertThat(mixed.apply(counted(3, 4), random).values()).containsExactly(6, 0);
  }
}
