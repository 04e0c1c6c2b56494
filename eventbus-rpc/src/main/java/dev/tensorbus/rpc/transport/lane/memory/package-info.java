// SPDX-License-Identifier: Apache-2.0

/// Slots in a file of memory that two processes of one host share.
package dev.tensorbus.rpc.transport.lane.memory;
