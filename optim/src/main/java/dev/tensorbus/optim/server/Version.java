// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.nn.StateDict;

/// A version of a model's parameters and buffers.
///
/// @param number increases with each version
public record Version(long number, StateDict state) {}
