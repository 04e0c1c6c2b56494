// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of updates: each optimizer's formula is written once, in torch's words, and
/// runs over a parameter's arrays a block at a time.
package dev.tensorbus.optim.update;
