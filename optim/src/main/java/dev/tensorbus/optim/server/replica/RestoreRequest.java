// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;

/// A trainer's request to begin with the values of an earlier run in some slots of a group, if no
/// step has been taken.
///
/// @param states the state of the earlier run by slot
public record RestoreRequest(String group, Map<Integer, SlotState> states) {}
