// SPDX-License-Identifier: Apache-2.0

/// Convolutions of sequences, images and volumes.
package dev.tensorbus.nn.convolution;
