// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import java.util.ArrayList;
import java.util.List;

/// Several messages to the same worker, sent as one. Each message costs its sender a system call
/// and its receiver a poll of the socket; for a small message, these cost more than everything
/// else.
///
/// @param frames the messages, in the order in which they were sent; none is a bundle
public record Bundle(List<Frame> frames) {
  private static final int HEADER = 16;

  /// Encodes this message.
  public Frame toFrame() {
    int size = 0;
    for (Frame frame : frames) {
      size += Integer.BYTES + frame.bytes().length;
    }
    Output out = new Output(HEADER + size);
    Frame.begin(out, Frame.Kind.BUNDLE, 0);
    out.putInt(frames.size());
    frames.forEach(frame -> out.putBytes(frame.bytes()));
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#BUNDLE].
  ///
  /// @throws WireException if the bytes are not such a message
  public static Bundle from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    in.getLong();
    int count = in.getCount(Integer.BYTES);
    List<Frame> frames = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      frames.add(single(new Frame(in.getBytes())));
    }
    in.requireEnd();
    return new Bundle(frames);
  }

  private static Frame single(Frame frame) {
    if (frame.kind() == Frame.Kind.BUNDLE) {
      throw new WireException("bundle of messages in a bundle", null);
    }
    return frame;
  }
}
