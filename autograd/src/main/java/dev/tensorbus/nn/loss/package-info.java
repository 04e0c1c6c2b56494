// SPDX-License-Identifier: Apache-2.0

/// Losses with settings. The defaults of the common ones stand in
/// [dev.tensorbus.nn.functional.Losses].
package dev.tensorbus.nn.loss;
