// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Operations that leave values out at random, scaling the rest so that the mean stays the same
/// (Srivastava et al., "Dropout", 2014).
public final class DropoutOps {
  private DropoutOps() {}

  /// See [Tensor#dropout].
  public static Tensor dropout(Tensor x, float probability, RandomGenerator random) {
    requireProbability("dropout", probability);
    Compute.requireFloating("dropout", x);
    return new Dropout(x.shape().elements(), probability, random.nextLong()).apply(x);
  }

  /// See [Tensor#dropout2d].
  public static Tensor dropout2d(Tensor x, float probability, RandomGenerator random) {
    requireProbability("dropout2d", probability);
    Compute.requireFloating("dropout2d", x);
    Shape shape = x.shape();
    if (shape.rank() != 4) {
      throw new ShapeException("dropout2d", shape + " has " + shape.rank() + " axes, not four");
    }
    int planes = shape.size(0) * shape.size(1);
    return new Dropout(planes, probability, random.nextLong()).apply(x);
  }

  private static void requireProbability(String operation, float probability) {
    if (!(probability >= 0f && probability < 1f)) {
      throw new IllegalArgumentException(
          operation + ": probability " + probability + " is not in [0, 1)");
    }
  }

  /// @param rows how many parts of the input are kept or left out as a whole
  /// @param key the random number from which the choice follows
  private record Dropout(int rows, float probability, long key) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor factors = Tensor.of(factors()).to(inputs[0].dtype());
      return new Result(scaled(inputs[0], factors), new Saved(factors));
    }

    /// 0 with the given probability, else what makes up for it. The hash of a counter: unlike a
    /// generator's state, it lets neighbours be computed at the same time.
    private float[] factors() {
      float[] factors = new float[rows];
      long threshold = (long) (probability * 0x1p32);
      int kept = Float.floatToRawIntBits(1f / (1f - probability));
      for (int row = 0; row < rows; row++) {
        // All ones where the hash reaches the threshold: a branch would be guessed wrong too
        // often.
        long mask = (threshold - 1 - (hash(row) >>> 32)) >> 63;
        factors[row] = Float.intBitsToFloat(kept & (int) mask);
      }
      return factors;
    }

    /// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014) over its sequence from `key`.
    private long hash(int row) {
      long z = key + row * 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return z ^ (z >>> 31);
    }

    private static Tensor scaled(Tensor x, Tensor factors) {
      return Compute.result(x, x.shape(), (k, y) -> k.scaleRows(x.storage(), factors.storage(), y));
    }

    private record Saved(Tensor factors) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {scaled(gradient, factors)};
      }
    }
  }
}
