// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;

/// Sends and receives large tensors on lanes, beside their messages.
public interface TensorTransfers {
  /// A message, and the transfer of the tensors that it does not contain.
  record Loaded(Payload payload, Transfer transfer) {}

  /// Takes the tensors out of a message for `to` if they are large, and there is a lane or no need
  /// for one.
  ///
  /// @param nanos how long somebody may want them
  Loaded load(Payload payload, Sender to, long nanos);

  /// Adds the tensors that were sent beside a message. Blocks until all have arrived, for `nanos`
  /// at most.
  ///
  /// @throws dev.tensorbus.rpc.RpcTimeoutException if they do not arrive in time
  /// @throws dev.tensorbus.rpc.NoSuchWorkerException if the sender left before all had arrived
  /// @throws dev.tensorbus.rpc.WireException if the sender's data is invalid, or the lane broke
  Payload unload(Payload payload, Sender from, long nanos);
}
