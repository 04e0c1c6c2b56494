// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The state of an optimizer, from which another optimizer can continue. Like torch's
/// `state_dict`. A [checkpoint][dev.tensorbus.optim.checkpoint.Checkpoint] stores it in a folder.
///
/// @param groups the state of each group, in the optimizer's order
public record OptimizerState(List<Group> groups) {
  /// Copies the list.
  public OptimizerState {
    groups = List.copyOf(groups);
  }

  /// The state of a group.
  ///
  /// @param spec the current settings
  /// @param initial as in [ParameterGroup#initial]
  /// @param memories the state of each parameter, in order
  public record Group(OptimizerSpec spec, @Nullable OptimizerSpec initial, List<Memory> memories) {
    /// Copies the list.
    public Group {
      memories = List.copyOf(memories);
    }

    /// Combines the current settings of a group with the state of its parameters.
    public static Group of(ParameterGroup<?> group, List<Memory> memories) {
      return new Group(group.spec(), group.initial(), memories);
    }

    /// Applies these settings to a group.
    public void load(ParameterGroup<?> group) {
      group.set(spec);
      group.setInitial(initial);
    }
  }

  /// The state of one parameter.
  ///
  /// @param steps number of steps so far
  /// @param tensors state tensors of the parameter's shape and type, by their names in torch, such
  ///     as `exp_avg`
  public record Memory(long steps, Map<String, Tensor> tensors) {
    /// Copies the map and sorts it by name.
    public Memory {
      tensors = Collections.unmodifiableMap(new TreeMap<>(tensors));
    }
  }

  /// Returns the type and shape of a tensor, such as `float32 [3, 4]`. A parameter and its state
  /// have the same type and shape.
  public static String kind(Tensor tensor) {
    return tensor.dtype() + " " + tensor.shape();
  }

  /// Checks that an optimizer with these groups can load this state.
  ///
  /// @param parameters the [kinds][#kind] of all groups' parameters
  /// @throws IllegalArgumentException if it cannot; the message names the first group or parameter
  ///     that differs
  public void requireFit(List<OptimizerSpec> specs, List<String> parameters) {
    require(groups.size() == specs.size(), "number of groups", groups.size(), specs.size());
    for (int i = 0; i < specs.size(); i++) {
      String saved = SettingChecks.name(groups.get(i).spec());
      require(
          groups.get(i).spec().getClass() == specs.get(i).getClass(),
          "optimizer in group " + i,
          saved,
          SettingChecks.name(specs.get(i)));
    }
    requireMemoriesFit(parameters);
  }

  private void requireMemoriesFit(List<String> parameters) {
    List<Memory> memories = groups.stream().flatMap(group -> group.memories().stream()).toList();
    require(
        memories.size() == parameters.size(),
        "number of parameters",
        memories.size(),
        parameters.size());
    for (int i = 0; i < parameters.size(); i++) {
      String where = " for parameter " + i;
      String expected = parameters.get(i);
      memories
          .get(i)
          .tensors()
          .forEach(
              (name, tensor) ->
                  require(kind(tensor).equals(expected), name + where, kind(tensor), expected));
    }
  }

  private static void require(boolean fits, String what, Object given, Object expected) {
    if (!fits) {
      throw new IllegalArgumentException(
          "optimizer: the state has a different %s: %s, expected %s; load it into an optimizer"
                  .formatted(what, given, expected)
              + " like the saved one");
    }
  }
}
