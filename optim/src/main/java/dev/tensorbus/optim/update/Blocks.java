// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The blocks that hold one section of a parameter: the values, the gradient and the optimizer
/// state.
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

  /// Returns the block of the parameter's values, which the rule updates.
  public Block values() {
    return values;
  }

  /// Returns the block with a copy of the gradient, which the rule may modify.
  public Block gradient() {
    return gradient;
  }

  /// Loads the sum of several gradients into the gradient block.
  void loadSum(List<HeapStorage> gradients, int from, int count) {
    gradient.load(gradients.getFirst(), from, 0, count);
    for (int i = 1; i < gradients.size(); i++) {
      Block next = scratch(0);
      next.load(gradients.get(i), from, 0, count);
      gradient.addScaled(next, 1);
    }
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
    return scratch(index).set(content);
  }

  private Block scratch(int index) {
    while (scratch.size() <= index) {
      scratch.add(block());
    }
    return scratch.get(index);
  }
}
