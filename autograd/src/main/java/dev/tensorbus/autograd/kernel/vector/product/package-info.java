// SPDX-License-Identifier: Apache-2.0

/// Matrix products: packed panels, register blocks, and how work is cut for threads.
package dev.tensorbus.autograd.kernel.vector.product;
