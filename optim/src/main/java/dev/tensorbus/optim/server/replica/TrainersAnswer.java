// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.List;

/// The answer to a question for the trainers of a group.
///
/// @param answer the versions by slot, and the slots that the server does not have
/// @param trainers the present trainers, in order of their names
public record TrainersAnswer(SlotAnswer answer, List<Life> trainers) {
  /// Copies the list.
  public TrainersAnswer {
    trainers = List.copyOf(trainers);
  }
}
