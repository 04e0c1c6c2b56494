// SPDX-License-Identifier: Apache-2.0

/// Attention, computed with the Vector API and without a matrix of all scores.
package dev.tensorbus.autograd.kernel.vector.attention;
