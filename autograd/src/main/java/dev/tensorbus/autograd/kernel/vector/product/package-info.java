// SPDX-License-Identifier: Apache-2.0

/// Matrix products, computed with the Vector API: packed panels, register tiles, and the division
/// of work among threads.
package dev.tensorbus.autograd.kernel.vector.product;
