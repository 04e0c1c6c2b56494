// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A way that large tensors can take beside the event bus.
public enum Lane {
  /// Memory that two processes of one host and one user share.
  SHARED_MEMORY,
  /// A connection of their own.
  SOCKET
}
