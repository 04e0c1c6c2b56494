// SPDX-License-Identifier: Apache-2.0

/// Layers that downsample images and sequences.
package dev.tensorbus.nn.pooling;
