// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.check;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// How much the gradients of twins differ.
///
/// @param lossHere the loss of the model that is here
/// @param lossSpread that of the one over two workers
/// @param differences of each parameter, the largest first
public record Comparison(double lossHere, double lossSpread, List<Difference> differences) {
  /// Of the greatest number of a gradient: float32 has 24 bits, sums lose some.
  private static final double ROUNDING = 1e-5;

  /// Where the two gradients of a parameter differ most.
  ///
  /// @param parameter its name
  /// @param index of the number, counted through all axes
  /// @param here the number in the gradient of the model that is here
  /// @param spread that in the other
  /// @param greatest number in the gradient, whatever its sign
  public record Difference(
      String parameter, int index, double here, double spread, double greatest) {
    /// By how much they differ; NaN if one is not a number.
    public double size() {
      return Math.abs(here - spread);
    }

    boolean isRounding() {
      return size() <= ROUNDING * greatest;
    }

    private static Difference of(String parameter, Tensor gradientHere, Tensor gradientSpread) {
      double[] here = gradientHere.to(DType.FLOAT64).doubles();
      double[] spread = gradientSpread.to(DType.FLOAT64).doubles();
      int worst = 0;
      double greatest = 0;
      for (int i = 0; i < here.length; i++) {
        boolean isWorse = !(Math.abs(here[i] - spread[i]) <= Math.abs(here[worst] - spread[worst]));
        worst = isWorse ? i : worst;
        greatest = Math.max(greatest, Math.abs(here[i]));
      }
      return new Difference(parameter, worst, here[worst], spread[worst], greatest);
    }
  }

  /// Runs both forward and backward. Blocks.
  public static Comparison of(Rpc rpc, Twins twins) {
    Tensor lossHere = twins.lossHere().get();
    lossHere.backward();
    try (var context = DistAutograd.context(rpc)) {
      Tensor lossSpread = twins.lossSpread().get();
      context.backward(lossSpread);
      return new Comparison(
          lossHere.itemDouble(), lossSpread.itemDouble(), differences(twins, context.id()));
    }
  }

  private static List<Difference> differences(Twins twins, long context) {
    List<Difference> differences = new ArrayList<>();
    for (Map.Entry<String, Tensor> named : twins.here().entrySet()) {
      RRef<Tensor> spread = twins.spread().get(differences.size());
      differences.add(
          Difference.of(
              named.getKey(),
              Objects.requireNonNull(named.getValue().grad(), named.getKey()),
              spread.rpcSync(Comparison::gradient, context)));
    }
    differences.sort(Comparator.comparingDouble(Difference::size).reversed());
    return differences;
  }

  /// The gradient that a context's pass left for a parameter of this worker.
  @Remote
  static Tensor gradient(Tensor parameter, long context) {
    Tensor gradient = DistAutograd.gradients(context).get(parameter);
    if (gradient == null) {
      throw new IllegalStateException(
          "check: the pass left no gradient for a parameter " + parameter.shape());
    }
    return gradient;
  }

  /// Whether nothing differs by more than sums in another order do.
  public boolean isEqual() {
    return differences.stream().allMatch(Difference::isRounding);
  }

  /// The difference in a line, for people.
  @Override
  public String toString() {
    Difference largest = differences.getFirst();
    String losses = "loss %s here, %s over two workers; ".formatted(lossHere, lossSpread);
    if (largest.size() == 0) {
      return losses
          + "the gradients of all %d parameters are equal, bit for bit"
              .formatted(differences.size());
    }
    return losses
        + "largest difference of gradients %.3g, in %s at %d: %s here, %s over two workers"
            .formatted(
                largest.size(),
                largest.parameter(),
                largest.index(),
                largest.here(),
                largest.spread());
  }
}
