// SPDX-License-Identifier: Apache-2.0

/// Sends and receives the values of tensors in chunks through slots: the common part of all lanes.
package dev.tensorbus.rpc.transport.lane.slot;
