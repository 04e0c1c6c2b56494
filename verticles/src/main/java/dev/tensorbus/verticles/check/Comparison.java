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

/// The differences between the gradients of twins.
///
/// @param lossHere the loss of the local model
/// @param lossSpread the loss of the distributed model
/// @param differences one per parameter, the largest first
public record Comparison(double lossHere, double lossSpread, List<Difference> differences) {
  /// The tolerance, relative to the largest absolute value of a gradient: float32 has 24 bits of
  /// precision, and sums lose some of them.
  private static final double ROUNDING = 1e-5;

  /// The largest difference between the two gradients of a parameter.
  ///
  /// @param parameter the name of the parameter
  /// @param index the flat index of the element
  /// @param here the element in the gradient of the local model
  /// @param spread the element in the gradient of the distributed model
  /// @param greatest the maximum absolute value of the local gradient
  public record Difference(
      String parameter, int index, double here, double spread, double greatest) {
    /// Returns the absolute difference; NaN if one of the values is NaN.
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

  /// Runs both models forward and backward, and compares their gradients. Blocks.
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

  /// Returns the gradient of this worker's parameter in an autograd context.
  @Remote
  static Tensor gradient(Tensor parameter, long context) {
    Tensor gradient = DistAutograd.gradients(context).get(parameter);
    if (gradient == null) {
      throw new IllegalStateException(
          "check: the backward pass computed no gradient for a parameter of shape "
              + parameter.shape());
    }
    return gradient;
  }

  /// Returns whether all differences are small enough to be rounding errors, for example from a
  /// different order of summation.
  public boolean isEqual() {
    return differences.stream().allMatch(Difference::isRounding);
  }

  /// Describes the largest difference in one line.
  @Override
  public String toString() {
    Difference largest = differences.getFirst();
    String losses = "loss %s locally, %s over two workers; ".formatted(lossHere, lossSpread);
    if (largest.size() == 0) {
      return losses
          + "the gradients of all %d parameters are bitwise equal".formatted(differences.size());
    }
    return losses
        + "largest gradient difference %.3g, in %s at index %d: %s locally, %s over two workers"
            .formatted(
                largest.size(),
                largest.parameter(),
                largest.index(),
                largest.here(),
                largest.spread());
  }
}
