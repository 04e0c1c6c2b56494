// SPDX-License-Identifier: Apache-2.0

/// Optimizers that update parameters on the workers that own them.
package dev.tensorbus.optim.distributed;
