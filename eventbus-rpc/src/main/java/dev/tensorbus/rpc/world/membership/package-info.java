// SPDX-License-Identifier: Apache-2.0

/// Which workers are in the world: the register in the cluster, heartbeats, and departures.
package dev.tensorbus.rpc.world.membership;
