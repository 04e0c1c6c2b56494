// SPDX-License-Identifier: Apache-2.0

/// Snapshots of a worker and of a world: which worker waits for which, and where. Only data.
package dev.tensorbus.rpc.observe.status;
