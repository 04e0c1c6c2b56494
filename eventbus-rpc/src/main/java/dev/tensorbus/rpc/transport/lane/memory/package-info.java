// SPDX-License-Identifier: Apache-2.0

/// Slots in a file in shared memory, for two processes on the same host.
package dev.tensorbus.rpc.transport.lane.memory;
