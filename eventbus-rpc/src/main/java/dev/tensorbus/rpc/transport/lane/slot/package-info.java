// SPDX-License-Identifier: Apache-2.0

/// Sends the values of tensors in chunks through slots, and receives them: what every lane has in
/// common.
package dev.tensorbus.rpc.transport.lane.slot;
