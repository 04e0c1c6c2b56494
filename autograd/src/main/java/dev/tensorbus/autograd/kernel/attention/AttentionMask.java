// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// Which sources a target may see, or what is added to their scores. It is read where it lies: an
/// axis along which it is the same has a step of 0.
///
/// @param sees true where a target may see a source; null if `added` is there
/// @param added to the scores; null if `sees` is there
/// @param starts where the mask of each item begins
/// @param targetStep from one target to the next
/// @param sourceStep from one source to the next
/// @param <A> the arrays: `float[]` or `double[]`
@SuppressWarnings("ArrayRecordComponent") // It is never compared.
public record AttentionMask<A>(
    boolean @Nullable [] sees, @Nullable A added, int[] starts, int targetStep, int sourceStep) {
  /// The position for a target and a source of an item.
  public int at(int item, int target, int source) {
    return starts[item] + target * targetStep + source * sourceStep;
  }
}
