// SPDX-License-Identifier: Apache-2.0

/// The specification of every kernel, in plain loops over `double[]`, and rounded to `float[]`.
package dev.tensorbus.autograd.kernel.scalar;
