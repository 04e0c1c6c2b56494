// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;

/// A sign of life between two workers that have calls with each other.
///
/// @param step what is said
/// @param from who says it
public record Heartbeat(Step step, Sender from) implements Message {
  private static final int SIZE = 256;

  /// The kinds of signs. The kind stands where other messages have a number.
  public enum Step {
    /// Are you there?
    ASK(1),
    /// I am here.
    ANSWER(2),
    /// I have lost you before, and shall not know you again in this life.
    LOST(3);

    private final long code;

    Step(long code) {
      this.code = code;
    }

    private static Step read(Input in) {
      long code = in.getLong();
      for (Step step : values()) {
        if (step.code == code) {
          return step;
        }
      }
      throw new WireException("heartbeat of unknown step " + code, null);
    }
  }

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(SIZE);
    Frame.begin(out, Frame.Kind.HEARTBEAT, step.code);
    from.write(out);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#HEARTBEAT].
  ///
  /// @throws WireException if the bytes are not one
  public static Heartbeat from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Heartbeat heartbeat = new Heartbeat(Step.read(in), Sender.read(in));
    in.requireEnd();
    return heartbeat;
  }
}
