// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of updates: each optimizer's formula is written once, in torch's terms, and runs
/// over a parameter's arrays block by block.
package dev.tensorbus.optim.update;
