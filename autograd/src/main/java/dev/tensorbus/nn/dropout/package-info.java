// SPDX-License-Identifier: Apache-2.0

/// Layers that leave values out at random in training. Each has a generator of its own, so that
/// equal seeds give equal choices.
package dev.tensorbus.nn.dropout;
