// SPDX-License-Identifier: Apache-2.0

/// Tensors in files that NumPy opens as well: the npy format.
package dev.tensorbus.models.data.npy;
