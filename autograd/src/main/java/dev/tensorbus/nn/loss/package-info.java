// SPDX-License-Identifier: Apache-2.0

/// Losses with settings: how far results are from what was wanted. The defaults of the common
/// ones stand in [dev.tensorbus.autograd.Losses].
package dev.tensorbus.nn.loss;
