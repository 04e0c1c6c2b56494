// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.Map;

/// Gradients for some slots of a group.
///
/// @param contributor the trainer or, in a group with shards, the [shard][Life#ofShard]
/// @param pushes the gradients by slot
public record PushRequest(Life contributor, String group, Map<Integer, PartPush> pushes) {}
