// SPDX-License-Identifier: Apache-2.0

/// Turns gradients into parameter updates: a spec says how, an optimizer does it.
///
/// The package has more than 15 files because it has torch.optim's optimizers in one place, as
/// torch does: eleven of its files are a spec each.
package dev.tensorbus.optim;
