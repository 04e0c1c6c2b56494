// SPDX-License-Identifier: Apache-2.0

/// Layers that drop random values in training. Each has a separate generator, so that equal seeds
/// give equal results.
package dev.tensorbus.nn.dropout;
