// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;

/// A message between two workers about the lane beside the event bus.
///
/// @param number the token of an offer, or the transfer id that is wanted
/// @param step what is said
/// @param from who says it
/// @param text the path of an offered file, or where to connect to, or why it is refused
public record LaneNote(long number, Step step, Sender from, String text) implements Message {
  private static final int SIZE = 512;

  /// The steps by which workers agree on a lane.
  public enum Step {
    /// I would send tensors through this file, or, if it has no name, through a connection.
    OFFER((byte) 1),
    /// I have it open, or the connection.
    ACCEPT((byte) 2),
    /// Send them in messages.
    REFUSE((byte) 3),
    /// I wait for the tensors of this transfer id.
    WANT((byte) 4),
    /// I cannot open it. Connect to this place.
    CONNECT((byte) 5);

    private final byte code;

    Step(byte code) {
      this.code = code;
    }

    private static Step read(Input in) {
      int code = in.getByte();
      for (Step step : values()) {
        if (step.code == code) {
          return step;
        }
      }
      throw new WireException("note on a lane with unknown step " + code, null);
    }
  }

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(SIZE);
    Frame.begin(out, Frame.Kind.LANE, number);
    out.putByte(step.code);
    from.write(out);
    out.putString(text);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#LANE].
  ///
  /// @throws WireException if the bytes are not one
  public static LaneNote from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    LaneNote note = new LaneNote(in.getLong(), Step.read(in), Sender.read(in), in.getString());
    in.requireEnd();
    return note;
  }
}
