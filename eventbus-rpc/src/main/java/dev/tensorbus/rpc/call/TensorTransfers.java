// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;

/// Sends and receives large tensors on lanes, separately from their messages.
public interface TensorTransfers {
  /// A message, and the transfer of the tensors that it does not contain.
  record Loaded(Payload payload, Transfer transfer) {}

  /// Takes the large tensors out of a message to `to`. Within a node they are passed by reference;
  /// to another node they are sent on a lane. If there is no lane, they stay in the message.
  ///
  /// @param nanos how long the tensors must remain available to the receiver
  Loaded load(Payload payload, Sender to, long nanos);

  /// Returns a message together with the tensors that were sent separately. Blocks until all of
  /// them have arrived, for `nanos` at most.
  ///
  /// @throws dev.tensorbus.rpc.RpcTimeoutException if they do not arrive in time
  /// @throws dev.tensorbus.rpc.NoSuchWorkerException if the sender left before all had arrived
  /// @throws dev.tensorbus.rpc.WireException if the sender's data is invalid, or the lane broke
  Payload unload(Payload payload, Sender from, long nanos);
}
