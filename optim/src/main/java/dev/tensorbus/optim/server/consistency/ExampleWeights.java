// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.consistency;

import java.util.Arrays;
import java.util.List;

/// The weights of pushes in the mean of a step.
public final class ExampleWeights {
  private ExampleWeights() {}

  /// Returns weights in proportion to numbers of examples, or equal weights if one number is
  /// unknown. They are relative to the first push, so that pushes of equal size all have weight 1,
  /// which leaves their gradients unrounded.
  ///
  /// @param examples the numbers of examples; 0 if unknown
  public static double[] of(List<Integer> examples) {
    double[] weights = new double[examples.size()];
    Arrays.fill(weights, 1);
    if (examples.stream().allMatch(count -> count > 0)) {
      Arrays.setAll(weights, i -> (double) examples.get(i) / examples.getFirst());
    }
    return weights;
  }
}
