// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// The blocks that hold a parameter, or one section of it: the values, the gradient and the
/// optimizer state.
public final class Blocks {
  private final Block values;
  private final Block gradient;
  private final Map<String, ? extends Block> state;
  private final Supplier<? extends Block> empty;
  private final List<Block> scratch = new ArrayList<>();

  /// @param empty creates a scratch block
  Blocks(
      Block values,
      Block gradient,
      Map<String, ? extends Block> state,
      Supplier<? extends Block> empty) {
    this.values = values;
    this.gradient = gradient;
    this.state = state;
    this.empty = empty;
  }

  /// Returns the block of the parameter's values, which the rule updates.
  public Block values() {
    return values;
  }

  /// Returns the block with a copy of the gradient, which the rule may modify.
  public Block gradient() {
    return gradient;
  }

  /// Returns the gradient block after adding weight decay to it.
  ///
  /// @param maximize whether to negate the gradient first
  /// @param weightDecay factor by which the values are added to the gradient
  public Block descent(boolean maximize, double weightDecay) {
    if (maximize) {
      gradient.neg();
    }
    return weightDecay == 0 ? gradient : gradient.addScaled(values, weightDecay);
  }

  /// Returns the block of the state with this name, which the rule updates.
  public Block state(String name) {
    return Objects.requireNonNull(state.get(name), name);
  }

  /// Returns a scratch block that holds a copy of `content`.
  ///
  /// @param index number of the scratch block, from 0; blocks used at the same time need different
  ///     numbers
  public Block scratch(int index, Block content) {
    while (scratch.size() <= index) {
      scratch.add(empty.get());
    }
    return scratch.get(index).set(content);
  }
}
