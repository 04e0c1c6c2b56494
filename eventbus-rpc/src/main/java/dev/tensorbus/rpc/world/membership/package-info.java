// SPDX-License-Identifier: Apache-2.0

/// Tracks which workers are in the world: the register in the cluster, heartbeats, and workers that
/// leave.
package dev.tensorbus.rpc.world.membership;
