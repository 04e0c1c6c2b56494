// SPDX-License-Identifier: Apache-2.0

/// Filters that slide over sequences and images.
package dev.tensorbus.nn.convolution;
