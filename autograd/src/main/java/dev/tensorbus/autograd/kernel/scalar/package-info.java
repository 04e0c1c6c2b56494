// SPDX-License-Identifier: Apache-2.0

/// The specification of every kernel: plain loops over `double[]`, and versions for `float[]` that
/// round the results.
package dev.tensorbus.autograd.kernel.scalar;
