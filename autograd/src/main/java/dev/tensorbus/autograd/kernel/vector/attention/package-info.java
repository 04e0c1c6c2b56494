// SPDX-License-Identifier: Apache-2.0

/// Attention in the Vector API, without a matrix of all scores.
package dev.tensorbus.autograd.kernel.vector.attention;
