// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;

/// A sign of life between two workers with calls in progress between them.
///
/// @param step the kind of heartbeat
/// @param from the sender
public record Heartbeat(Step step, Sender from) implements Message {
  private static final int SIZE = 256;

  /// The kinds of heartbeats, sent in place of a call number.
  public enum Step {
    /// Asks whether the receiver is alive.
    ASK(1),
    /// Answers that the sender is alive.
    ANSWER(2),
    /// Reports that the sender considers the receiver lost and will not accept this incarnation of
    /// it again.
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
  /// @throws WireException if the bytes are not such a message
  public static Heartbeat from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Heartbeat heartbeat = new Heartbeat(Step.read(in), Sender.read(in));
    in.requireEnd();
    return heartbeat;
  }
}
