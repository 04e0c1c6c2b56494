// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of recurrent networks: the contract, the kinds of cells, one step and its
/// gradient.
package dev.tensorbus.autograd.kernel.recurrent;
