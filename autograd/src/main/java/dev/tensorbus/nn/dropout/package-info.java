// SPDX-License-Identifier: Apache-2.0

/// Layers that drop random values in training. Each layer has a separate random generator, so that
/// equal seeds produce equal results.
package dev.tensorbus.nn.dropout;
