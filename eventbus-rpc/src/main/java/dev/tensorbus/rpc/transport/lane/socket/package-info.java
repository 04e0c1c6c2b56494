// SPDX-License-Identifier: Apache-2.0

/// Slots at the two ends of a connection between hosts.
package dev.tensorbus.rpc.transport.lane.socket;
