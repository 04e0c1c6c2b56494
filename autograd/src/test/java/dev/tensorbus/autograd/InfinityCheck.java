// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.graph.Backward;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;

/// Checks that an infinite value of an input, or of the gradient of a result, reaches only the
/// results and the gradients of this input that depend on it: those that a large finite value in
/// its place changes. A sum of products in which it meets a 0 would be NaN.
public final class InfinityCheck {
  private static final float LARGE = 1e4f;

  /// How many values become infinite, one after another.
  private static final int PLACES = 4;

  private final Function<Tensor, List<Tensor>> function;
  private final SplittableRandom random;

  /// @param function of one input; the others are constants
  public InfinityCheck(Function<Tensor, List<Tensor>> function, SplittableRandom random) {
    this.function = function;
    this.random = random;
  }

  /// Checks some values of an input, and of each result's gradient.
  public void check(String name, Tensor input) {
    List<Tensor> given = new ArrayList<>(List.of(input));
    function.apply(Tensor.parameterOf(input)).stream()
        .filter(Tensor::requiresGrad)
        .forEach(y -> given.add(Tensor.randn(random, y.shape().toArray())));
    List<float[]> base = results(given);
    for (int k = 0; k < given.size(); k++) {
      int count = given.get(k).shape().elements();
      for (int i = 0; i < Math.min(PLACES, count); i++) {
        int place = random.nextInt(count);
        for (float sign : new float[] {1, -1}) {
          List<float[]> far = results(with(given, k, place, sign * LARGE));
          List<float[]> infinite = results(with(given, k, place, sign / 0f));
          String what =
              "%s, %s at %d of %s"
                  .formatted(name, sign / 0f, place, k == 0 ? "the input" : "gradient " + k);
          requireUnchanged(what, base, far, infinite);
        }
      }
    }
  }

  private static List<Tensor> with(List<Tensor> given, int k, int place, float value) {
    List<Tensor> changed = new ArrayList<>(given);
    float[] values = given.get(k).values().clone();
    values[place] = value;
    changed.set(k, Tensor.of(given.get(k).shape(), values));
    return changed;
  }

  /// The results, and the gradient of the first given tensor; the others are gradients of results.
  private List<float[]> results(List<Tensor> given) {
    Tensor leaf = Tensor.parameterOf(given.getFirst());
    List<Tensor> ys = function.apply(leaf);
    List<float[]> results = new ArrayList<>();
    ys.forEach(y -> results.add(y.detach().to(DType.FLOAT32).values()));
    List<Tensor> roots = ys.stream().filter(Tensor::requiresGrad).toList();
    if (!roots.isEmpty()) {
      Backward pass = Backward.from(roots.getFirst(), given.get(1));
      for (int i = 1; i < roots.size(); i++) {
        pass = pass.and(roots.get(i), given.get(1 + i));
      }
      results.add(Objects.requireNonNull(pass.gradientsOf(leaf).getFirst()).values());
    }
    return results;
  }

  private static void requireUnchanged(
      String what, List<float[]> base, List<float[]> far, List<float[]> infinite) {
    for (int r = 0; r < base.size(); r++) {
      float greatest = 1;
      for (float value : base.get(r)) {
        greatest = Math.max(greatest, Math.abs(value));
      }
      for (int i = 0; i < base.get(r).length; i++) {
        if (base.get(r)[i] == far.get(r)[i]) {
          assertThat(Math.abs(base.get(r)[i] - infinite.get(r)[i]) <= 1e-5f * greatest)
              .as("%s: %s of result %d[%d]", what, infinite.get(r)[i], r, i)
              .isTrue();
        }
      }
    }
  }
}
