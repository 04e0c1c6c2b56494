// SPDX-License-Identifier: Apache-2.0

/// The specification: what every kernel computes, in plain loops over `double[]`, and its
/// rounding to `float[]`.
package dev.tensorbus.autograd.kernel.scalar;
