// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Runs an update rule by operations on tensors, for a step that becomes a graph. The numbers of
/// the rule, such as the learning rate, are inputs, so that one graph serves steps with other
/// numbers.
///
/// @param values the new values of the parameter
/// @param state the new state by name
public record TensorUpdate(Tensor values, Map<String, Tensor> state) {
  /// The numbers of a rule, in the order in which it uses them.
  ///
  /// @param operations the operations of the rule; rules with the same operations differ only in
  ///     their numbers
  public record Numbers(List<String> operations, List<Double> values) {
    /// Returns the numbers of a rule.
    ///
    /// @param state the names of the state
    public static Numbers of(UpdateRule rule, Collection<String> state) {
      NumberBlock block = new NumberBlock(new ArrayList<>(), new ArrayList<>());
      Map<String, Block> blocks = new HashMap<>();
      state.forEach(name -> blocks.put(name, block));
      rule.update(new Blocks(block, block, blocks, () -> block));
      return new Numbers(List.copyOf(block.operations()), List.copyOf(block.numbers()));
    }
  }

  /// Returns the new state of this name.
  public Tensor state(String name) {
    return Objects.requireNonNull(state.get(name), name);
  }

  /// Computes an update.
  ///
  /// @param numbers the rule's numbers as scalars; they replace those in the rule
  public static TensorUpdate of(
      UpdateRule rule,
      Tensor values,
      Tensor gradient,
      Map<String, Tensor> state,
      Iterable<Tensor> numbers) {
    Iterator<Tensor> next = numbers.iterator();
    TensorBlock updated = new TensorBlock(next::next, values);
    Map<String, TensorBlock> blocks = new HashMap<>();
    state.forEach((name, tensor) -> blocks.put(name, new TensorBlock(next::next, tensor)));
    rule.update(
        new Blocks(
            updated,
            new TensorBlock(next::next, gradient),
            blocks,
            () -> new TensorBlock(next::next)));
    Map<String, Tensor> changed = new HashMap<>();
    blocks.forEach((name, block) -> changed.put(name, block.tensor()));
    return new TensorUpdate(updated.tensor(), changed);
  }
}
