// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

/// The transfer of one message's tensors on a lane. The sender starts the transfer after it has
/// sent the message, and ends the transfer when the receiver can no longer need it.
public interface Transfer {
  /// The transfer of a message that contains its tensors.
  Transfer NONE =
      new Transfer() {
        @Override
        public void start() {}

        @Override
        public void end() {}
      };

  /// Starts sending without blocking. This thread copies as much as fits into the lane, and another
  /// thread copies the rest. On an event loop, another thread copies everything.
  void start();

  /// Ends the transfer and withdraws data that has not been received. May be called repeatedly.
  void end();
}
