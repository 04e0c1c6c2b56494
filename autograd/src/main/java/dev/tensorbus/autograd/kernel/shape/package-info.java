// SPDX-License-Identifier: Apache-2.0

/// The sizes that kernels are given, and the places of their values in arrays.
package dev.tensorbus.autograd.kernel.shape;
