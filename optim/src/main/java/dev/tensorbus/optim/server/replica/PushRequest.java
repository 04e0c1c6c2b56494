// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.Map;

/// A trainer's gradients for some slots of a group.
///
/// @param pushes the gradients by slot
public record PushRequest(Life trainer, String group, Map<Integer, PartPush> pushes) {}
