// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The blocks of one stretch of a parameter, on which a rule computes: its values, its gradient and
/// the optimizer's state.
public final class Blocks {
  private final DType type;
  private final int capacity;
  private final Block values;
  private final Block gradient;
  private final Map<String, Block> state = new LinkedHashMap<>();
  private final List<Block> scratch = new ArrayList<>();

  Blocks(DType type, int capacity, Iterable<String> names) {
    this.type = type;
    this.capacity = capacity;
    values = block();
    gradient = block();
    names.forEach(name -> state.put(name, block()));
  }

  private Block block() {
    return type == DType.FLOAT32 ? new FloatBlock(capacity) : new DoubleBlock(capacity);
  }

  /// The parameter's values, which the rule changes.
  public Block values() {
    return values;
  }

  /// The gradient, a copy: the rule may change it.
  public Block gradient() {
    return gradient;
  }

  /// Sums up the numbers of these arrays in the gradient.
  void loadSum(List<Object> gradients, int from, int count) {
    gradient.load(gradients.getFirst(), from, 0, count);
    for (int i = 1; i < gradients.size(); i++) {
      Block next = scratch(0);
      next.load(gradients.get(i), from, 0, count);
      gradient.addScaled(next, 1);
    }
  }

  /// The gradient of the loss and of the weight decay.
  ///
  /// @param maximize whether the loss is to become great instead
  /// @param weightDecay how strongly values are pulled to zero
  public Block descent(boolean maximize, double weightDecay) {
    if (maximize) {
      gradient.neg();
    }
    return weightDecay == 0 ? gradient : gradient.addScaled(values, weightDecay);
  }

  /// The state of this name, which the rule brings up to date.
  public Block state(String name) {
    return Objects.requireNonNull(state.get(name), name);
  }

  /// A block for intermediate results, with a copy of `content`.
  ///
  /// @param index 0, 1, … for those that are needed at a time
  public Block scratch(int index, Block content) {
    return scratch(index).set(content);
  }

  private Block scratch(int index) {
    while (scratch.size() <= index) {
      scratch.add(block());
    }
    return scratch.get(index);
  }
}
