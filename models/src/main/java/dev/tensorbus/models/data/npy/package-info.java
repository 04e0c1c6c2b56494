// SPDX-License-Identifier: Apache-2.0

/// Reads and writes tensors in NumPy's npy format.
package dev.tensorbus.models.data.npy;
