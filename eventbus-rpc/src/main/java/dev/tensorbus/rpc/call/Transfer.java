// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

/// The tensors of one message, on their way beside it. Whoever sends the message starts the
/// transfer once the message is on its way too, and ends it when nobody can want it any more.
public interface Transfer {
  /// Of a message that holds its tensors itself.
  Transfer NONE =
      new Transfer() {
        @Override
        public void start() {}

        @Override
        public void end() {}
      };

  /// Begins to send. Copies what there is room for on this thread, unless it is an event loop;
  /// the rest follows on another. Does not wait.
  void start();

  /// Takes back what has not been taken. May be called often.
  void end();
}
