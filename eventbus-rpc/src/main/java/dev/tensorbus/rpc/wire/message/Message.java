// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Sender;

/// A message that names its sender. It is accepted only from the node on which the sender lives.
public interface Message {
  /// Returns the worker that sent the message.
  Sender from();
}
