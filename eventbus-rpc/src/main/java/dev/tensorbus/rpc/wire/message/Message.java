// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Sender;

/// A message that names its sender. It counts only if it comes from the node on which the sender
/// lives.
public interface Message {
  /// The worker that sent it.
  Sender from();
}
