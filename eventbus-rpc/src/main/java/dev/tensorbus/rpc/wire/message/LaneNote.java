// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;

/// A message between two workers about a lane.
///
/// @param number the token of an offer, or the id of a requested transfer
/// @param step the kind of note
/// @param from the sender
/// @param text the path of an offered file, the address to connect to, or the reason for a refusal
public record LaneNote(long number, Step step, Sender from, String text) implements Message {
  private static final int SIZE = 512;

  /// The kinds of notes with which workers agree on a lane.
  public enum Step {
    /// Offers to send tensors through this file, or, if the path is empty, through a connection.
    OFFER((byte) 1),
    /// Accepts an offer: the file or the connection is open.
    ACCEPT((byte) 2),
    /// Refuses an offer: tensors must be sent in messages.
    REFUSE((byte) 3),
    /// Requests the tensors of a transfer, for which a thread is waiting.
    WANT((byte) 4),
    /// Requests a connection to this address, since the file cannot be opened.
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
  /// @throws WireException if the bytes are not such a message
  public static LaneNote from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    LaneNote note = new LaneNote(in.getLong(), Step.read(in), Sender.read(in), in.getString());
    in.requireEnd();
    return note;
  }
}
