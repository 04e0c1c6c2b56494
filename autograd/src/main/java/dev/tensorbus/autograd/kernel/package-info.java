// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on `float[]`: the scalar reference and its Vector API twin.
package dev.tensorbus.autograd.kernel;
