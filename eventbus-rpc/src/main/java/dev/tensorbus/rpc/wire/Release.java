// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// Tells a worker that a distributed autograd context is over. Has no answer: whoever does not
/// get it finds out by asking, see docs/dist-autograd.md.
///
/// @param context the context's id
public record Release(long context) {
  private static final int SIZE = 16;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(SIZE);
    Frame.begin(out, Frame.Kind.RELEASE, context);
    return new Frame(out.toBytes());
  }

  /// Decodes a message of kind [Frame.Kind#RELEASE].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not one
  public static Release from(Frame frame) {
    Input in = new Input(frame.bytes());
    Frame.open(in);
    Release release = new Release(in.getLong());
    in.requireEnd();
    return release;
  }
}
