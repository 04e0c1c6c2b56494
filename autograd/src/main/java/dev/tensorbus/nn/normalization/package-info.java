// SPDX-License-Identifier: Apache-2.0

/// Layers that bring values to mean 0 and variance 1.
package dev.tensorbus.nn.normalization;
