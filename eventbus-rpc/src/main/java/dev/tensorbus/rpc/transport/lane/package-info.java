// SPDX-License-Identifier: Apache-2.0

/// Finds the route of large tensors to and from each worker that bypasses the event bus: a file of
/// shared memory, or a dedicated connection.
package dev.tensorbus.rpc.transport.lane;
