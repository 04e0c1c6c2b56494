// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.onnx.OnnxTwin;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Images with values that no weight of 0 makes 0. Ordinary values are compared with torch's in
/// `LayersTest`.
final class InterpolationsTest {
  private static final int SIZE = 4;
  private static final List<Pair> SIZES =
      List.of(new Pair(8, 8), new Pair(3, 5), new Pair(4, 7), new Pair(1, 1), new Pair(9, 2));

  private static Tensor image(int place, float value, float others) {
    float[] values = new float[SIZE * SIZE];
    Arrays.fill(values, others);
    values[place] = value;
    return Tensor.of(Shape.of(1, 1, SIZE, SIZE), values);
  }

  /// The share of one old pixel in each new one.
  private static float[] shares(int place, Pair size, boolean alignCorners) {
    return Interpolations.bilinear(image(place, 1, 0), size, alignCorners).values();
  }

  @Test
  void anInfinitePixelChangesOnlyThoseThatItHasAShareIn() {
    for (Pair size : SIZES) {
      for (boolean alignCorners : new boolean[] {false, true}) {
        for (int place = 0; place < SIZE * SIZE; place++) {
          float[] shares = shares(place, size, alignCorners);
          for (float value : new float[] {Float.NEGATIVE_INFINITY, Float.NaN}) {
            for (DType type : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
              Tensor x = image(place, value, 2).to(type);
              Tensor y = Interpolations.bilinear(x, size, alignCorners).to(DType.FLOAT32);
              for (int i = 0; i < shares.length; i++) {
                assertThat(y.values()[i])
                    .as("%s, %s, pixel %d of %d", size, alignCorners, i, place)
                    .isEqualTo(shares[i] > 0 ? (Float) value : (Float) 2f);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void anInfiniteGradientGoesOnlyToThePixelsThatHaveAShare() {
    Pair size = new Pair(8, 8);
    for (int target = 0; target < 64; target++) {
      float[] gradient = new float[64];
      gradient[target] = Float.POSITIVE_INFINITY;
      Tensor x = Tensor.parameterOf(image(0, 0, 0));
      Tensor y = Interpolations.bilinear(x, size, false);
      Tensor ofX =
          Objects.requireNonNull(
              Backward.from(y, Tensor.of(y.shape(), gradient)).gradientsOf(x).getFirst());
      for (int place = 0; place < SIZE * SIZE; place++) {
        assertThat(ofX.values()[place])
            .isEqualTo(shares(place, size, false)[target] > 0 ? Float.POSITIVE_INFINITY : 0);
      }
    }
  }

  @Test
  void anInfinitePixelStaysAtItsPlaceInOnnxRuntime() {
    Tensor ordinary = Tensor.randn(new SplittableRandom(1), 1, 1, SIZE, SIZE);
    Tensor infinite = image(5, Float.NEGATIVE_INFINITY, 0);
    for (Pair size : SIZES) {
      new OnnxTwin(
              "bilinear " + size,
              OnnxTwin.nothing(),
              in -> List.of(Interpolations.bilinear(in.getFirst(), size, false)),
              List.of(ordinary.add(infinite)))
          .compare();
    }
  }
}
