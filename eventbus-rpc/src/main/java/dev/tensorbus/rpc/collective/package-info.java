// SPDX-License-Identifier: Apache-2.0

/// Collective operations: gather, sum and barrier.
package dev.tensorbus.rpc.collective;
