// SPDX-License-Identifier: Apache-2.0

/// Compares the gradients of a local model with those of the same model distributed over workers.
package dev.tensorbus.verticles.check;
