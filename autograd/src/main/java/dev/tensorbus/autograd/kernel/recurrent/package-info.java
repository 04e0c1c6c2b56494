// SPDX-License-Identifier: Apache-2.0

/// The interface for the kernels of recurrent networks: kinds of cells, a step, and its gradient.
package dev.tensorbus.autograd.kernel.recurrent;
