// SPDX-License-Identifier: Apache-2.0

/// Layers that normalize values to mean 0 and variance 1.
package dev.tensorbus.nn.normalization;
