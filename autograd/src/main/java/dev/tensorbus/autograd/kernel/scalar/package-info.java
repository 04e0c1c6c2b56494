// SPDX-License-Identifier: Apache-2.0

/// The reference implementation of every kernel: plain loops over `double[]`, and versions for
/// `float[]` that round their results.
package dev.tensorbus.autograd.kernel.scalar;
