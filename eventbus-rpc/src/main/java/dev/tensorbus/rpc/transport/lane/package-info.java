// SPDX-License-Identifier: Apache-2.0

/// Finds the way that the values of tensors take from and to each worker beside the event bus:
/// through a file of shared memory, or a connection of their own.
package dev.tensorbus.rpc.transport.lane;
