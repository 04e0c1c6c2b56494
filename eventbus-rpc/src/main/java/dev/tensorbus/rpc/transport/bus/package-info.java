// SPDX-License-Identifier: Apache-2.0

/// Puts frames on the event bus.
package dev.tensorbus.rpc.transport.bus;
