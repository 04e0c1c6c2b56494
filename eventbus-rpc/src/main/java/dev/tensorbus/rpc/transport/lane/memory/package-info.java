// SPDX-License-Identifier: Apache-2.0

/// Slots in a file of shared memory between two processes of one host.
package dev.tensorbus.rpc.transport.lane.memory;
