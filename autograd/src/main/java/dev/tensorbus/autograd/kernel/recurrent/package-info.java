// SPDX-License-Identifier: Apache-2.0

/// The interface of the kernels for recurrent networks, and its parameters: the kinds of cells, a
/// step, and the gradients of a step.
package dev.tensorbus.autograd.kernel.recurrent;
