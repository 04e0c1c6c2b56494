// SPDX-License-Identifier: Apache-2.0

/// Turns gradients into parameter updates on the workers that own the parameters.
package dev.tensorbus.optim.distributed;
