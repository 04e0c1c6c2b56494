// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// Which sources a target may attend to, or what is added to their scores. The mask is not copied:
/// an axis that is broadcast has a step of 0.
///
/// @param sees true where a target may attend to a source; null if `added` is given
/// @param added is added to the scores; null if `sees` is given
/// @param starts the offset of the mask of each item
/// @param targetStep the distance of two targets
/// @param sourceStep the distance of two sources
/// @param <A> the array type: `float[]` or `double[]`
@SuppressWarnings("ArrayRecordComponent") // It is never compared.
public record AttentionMask<A>(
    boolean @Nullable [] sees, @Nullable A added, int[] starts, int targetStep, int sourceStep) {
  /// Returns the offset for a target and a source of an item.
  public int at(int item, int target, int source) {
    return starts[item] + target * targetStep + source * sourceStep;
  }
}
