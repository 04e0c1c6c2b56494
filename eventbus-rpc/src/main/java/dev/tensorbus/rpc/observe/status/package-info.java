// SPDX-License-Identifier: Apache-2.0

/// Snapshots of a worker and of a world, which show which worker waits for which, and where.
package dev.tensorbus.rpc.observe.status;
