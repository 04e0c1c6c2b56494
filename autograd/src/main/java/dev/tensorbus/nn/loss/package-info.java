// SPDX-License-Identifier: Apache-2.0

/// Losses with options. [dev.tensorbus.nn.functional.Losses] contains functions for the common
/// losses with default options.
package dev.tensorbus.nn.loss;
