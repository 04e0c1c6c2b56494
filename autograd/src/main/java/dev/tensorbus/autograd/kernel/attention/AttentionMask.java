// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// A boolean mask that selects the sources that a target may attend to, or a float mask that is
/// added to the scores. It may be a strided view: an axis that is broadcast has a step of 0.
///
/// @param sees true if a target may attend to a source; null if `added` is given
/// @param added the terms to add to the scores; null if `sees` is given
/// @param starts the offset of each item's mask
/// @param targetStep the stride from one target to the next
/// @param sourceStep the stride from one source to the next
/// @param <A> the array type: `float[]` or `double[]`
@SuppressWarnings("ArrayRecordComponent") // records are never compared
public record AttentionMask<A>(
    boolean @Nullable [] sees, @Nullable A added, int[] starts, int targetStep, int sourceStep) {
  /// Returns the offset of the mask value for a target and a source of an item.
  public int at(int item, int target, int source) {
    return starts[item] + target * targetStep + source * sourceStep;
  }
}
