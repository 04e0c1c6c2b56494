// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

/// The transfer of one message's tensors on a lane. The sender of the message starts the transfer
/// once the message is sent too, and ends it when nobody can want it any more.
public interface Transfer {
  /// The transfer of a message that holds its tensors itself.
  Transfer NONE =
      new Transfer() {
        @Override
        public void start() {}

        @Override
        public void end() {}
      };

  /// Starts sending. Copies as much as fits on this thread, unless it is an event loop; another
  /// thread copies the rest. Does not block.
  void start();

  /// Takes back what has not been received. May be called repeatedly.
  void end();
}
