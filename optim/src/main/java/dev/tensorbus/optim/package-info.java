// SPDX-License-Identifier: Apache-2.0

/// Turns gradients into parameter updates: a spec says how, an optimizer does it.
package dev.tensorbus.optim;
