// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Sender;

/// A message that names its sender. It is accepted only from the cluster node on which that sender
/// runs.
public interface Message {
  /// Returns the worker that sent the message.
  Sender from();
}
