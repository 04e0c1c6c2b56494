// SPDX-License-Identifier: Apache-2.0

/// Knows who is in the world: who joins, who leaves, who has died.
package dev.tensorbus.rpc.membership;
