// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import io.vertx.core.buffer.Buffer;

/// A connection, as far as slots are concerned.
interface Link {
  /// Sends bytes, which must not change until the other side has answered. Does not wait; if the
  /// connection is lost, nothing happens.
  void send(Buffer bytes);

  /// Whether the other side leaves lying what is sent to it.
  boolean isFull();

  /// Ends the connection.
  void close();

  /// Ends the connection with a peer that does not keep to the rules.
  void cut(String reason);
}
