// SPDX-License-Identifier: Apache-2.0

/// Losses that pull similar vectors together and push others apart.
package dev.tensorbus.nn.loss.similarity;
