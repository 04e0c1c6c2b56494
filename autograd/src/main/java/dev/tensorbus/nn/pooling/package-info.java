// SPDX-License-Identifier: Apache-2.0

/// Layers that make images smaller.
package dev.tensorbus.nn.pooling;
