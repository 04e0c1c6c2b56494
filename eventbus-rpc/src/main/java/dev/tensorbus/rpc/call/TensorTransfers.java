// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;

/// How large tensors travel beside the message that they belong to.
public interface TensorTransfers {
  /// A message, and the transfer of the tensors that it does not hold itself.
  record Loaded(Payload payload, Transfer transfer) {}

  /// Takes the tensors out of a message for `to` if they are large, and there is a lane or no
  /// need for one.
  ///
  /// @param nanos how long somebody may want them
  Loaded load(Payload payload, Sender to, long nanos);

  /// Adds the tensors that come beside a message. Blocks until all are here, for `nanos` at most.
  ///
  /// @throws dev.tensorbus.rpc.RpcTimeoutException if they do not come in time
  /// @throws dev.tensorbus.rpc.NoSuchWorkerException if the sender left before all were here
  /// @throws dev.tensorbus.rpc.WireException if what the sender says of them cannot be, or the lane
  ///     broke
  Payload unload(Payload payload, Sender from, long nanos);
}
