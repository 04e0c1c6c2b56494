// SPDX-License-Identifier: Apache-2.0

/// Which server has which parameters.
package dev.tensorbus.optim.server.slot;
