// SPDX-License-Identifier: Apache-2.0

/// Sends and receives frames on the event bus.
package dev.tensorbus.rpc.transport.bus;
