// SPDX-License-Identifier: Apache-2.0

/// Which workers are in the world: the register of the cluster, the sign of life of each, and how
/// each leaves.
package dev.tensorbus.rpc.world.membership;
