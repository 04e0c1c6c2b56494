// SPDX-License-Identifier: Apache-2.0

/// Losses with options. [dev.tensorbus.nn.functional.Losses] has functions for the common ones with
/// default options.
package dev.tensorbus.nn.loss;
