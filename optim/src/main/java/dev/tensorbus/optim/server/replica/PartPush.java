// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.consistency.ExampleWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The gradients that a trainer pushes to one part.
///
/// @param number the number of the trainer's push, by which a repeated push is recognized: from 1,
///     after those without gradients by which a trainer catches up when it has joined
/// @param optimizer the optimizer's settings for the step
/// @param gradients the gradients in the order of the part's values; empty if the trainer has none
/// @param examples the number of examples, which is the gradients' weight in a mean; 0 if unknown
public record PartPush(long number, OptimizerSpec optimizer, List<Tensor> gradients, int examples) {
  /// Copies the list.
  public PartPush {
    gradients = List.copyOf(gradients);
  }

  /// Returns the optimizer's settings of the first push with gradients, or of the first one if none
  /// has any.
  static OptimizerSpec optimizer(List<PartPush> pushes) {
    return pushes.stream()
        .filter(push -> !push.gradients().isEmpty())
        .findFirst()
        .orElse(pushes.getFirst())
        .optimizer();
  }

  /// Returns the mean of gradients, weighted by their examples if all numbers are known. Adds them
  /// in the given order. Ignores pushes without gradients.
  static List<Tensor> mean(List<PartPush> all) {
    List<PartPush> pushes = all.stream().filter(push -> !push.gradients().isEmpty()).toList();
    if (pushes.isEmpty()) {
      return List.of();
    }
    double[] weights = ExampleWeights.of(pushes.stream().map(PartPush::examples).toList());
    double total = Arrays.stream(weights).sum();
    List<Tensor> mean = new ArrayList<>();
    for (int place = 0; place < pushes.getFirst().gradients().size(); place++) {
      Tensor sum = scaled(pushes.getFirst().gradients().get(place), weights[0]);
      for (int i = 1; i < weights.length; i++) {
        sum = sum.add(scaled(pushes.get(i).gradients().get(place), weights[i]));
      }
      mean.add(scaled(sum, 1 / total));
    }
    return mean;
  }

  private static Tensor scaled(Tensor gradient, double factor) {
    return factor == 1 ? gradient : gradient.scale(factor);
  }
}
