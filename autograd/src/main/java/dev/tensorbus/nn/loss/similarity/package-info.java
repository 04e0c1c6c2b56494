// SPDX-License-Identifier: Apache-2.0

/// Losses that pull vectors of one kind together and others apart.
package dev.tensorbus.nn.loss.similarity;
