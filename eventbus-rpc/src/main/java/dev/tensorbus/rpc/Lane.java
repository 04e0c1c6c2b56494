// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A route for large tensors that bypasses the event bus.
public enum Lane {
  /// Memory shared by two processes of the same user on one host.
  SHARED_MEMORY,
  /// A dedicated TCP connection.
  SOCKET
}
