// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.consistency.Consistency;
import java.util.List;

/// The settings of a group of parameters, on which all trainers must agree.
///
/// @param name the group's name
/// @param parameters the name, type and shape of each parameter
/// @param optimizer updates the parameters
/// @param consistency the text of the [Consistency]
/// @param trainers the number of trainers that must join before the first step
/// @param shards the number of shards of the data, of each of which a step combines one push; 0 if
///     it combines pushes of trainers
public record GroupSettings(
    String name,
    List<String> parameters,
    OptimizerSpec optimizer,
    String consistency,
    int trainers,
    int shards) {
  /// Copies the list and checks the settings.
  ///
  /// @throws IllegalArgumentException if there are fewer trainers than the consistency needs, or
  ///     shards with a consistency that does not wait for all of them
  public GroupSettings {
    parameters = List.copyOf(parameters);
    if (trainers < 1) {
      throw new IllegalArgumentException(trainers + " trainers; expected at least 1");
    }
    Consistency.parse(consistency).requireTrainers(trainers);
    if (shards < 0 || (shards > 0 && !isSynchronous(consistency))) {
      throw new IllegalArgumentException(
          "%d shards with %s; expected 1 or more with bsp, or none".formatted(shards, consistency));
    }
  }

  /// Returns whether the trainers step together, so that all slots have the same version between
  /// two steps.
  public boolean isSynchronous() {
    return isSynchronous(consistency);
  }

  private static boolean isSynchronous(String consistency) {
    return Consistency.parse(consistency).equals(new Consistency.Bsp(0));
  }

  /// Describes how these settings differ from those of the group.
  String difference(GroupSettings group) {
    return "group \"%s\": %s given, %s expected; give all trainers the same model and settings"
        .formatted(name, firstDifference(group), group.firstDifference(this));
  }

  private String firstDifference(GroupSettings other) {
    if (!parameters.equals(other.parameters)) {
      return parameters.stream()
          .filter(parameter -> !other.parameters.contains(parameter))
          .findFirst()
          .map(parameter -> "parameter " + parameter)
          .orElse(parameters.size() + " parameters");
    }
    return "%s, %s, %d trainers, %d shards".formatted(optimizer, consistency, trainers, shards);
  }
}
