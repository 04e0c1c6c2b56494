// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;

/// Tells a worker that nobody waits for the answer to a [Request] any more. This message is not
/// answered.
///
/// @param call the number of the request
/// @param from the caller
public record Cancel(long call, Sender from) implements Message {
  private static final int SIZE = 256;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(SIZE);
    Frame.begin(out, Frame.Kind.CANCEL, call);
    from.write(out);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#CANCEL].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not such a message
  public static Cancel from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Cancel cancel = new Cancel(in.getLong(), Sender.read(in));
    in.requireEnd();
    return cancel;
  }
}
