// SPDX-License-Identifier: Apache-2.0

/// Optimizers: a spec holds the settings, an optimizer applies them to parameters.
///
/// The package has more than 15 files because, like `torch.optim`, it holds all optimizers: eleven
/// of its files are specs.
package dev.tensorbus.optim;
