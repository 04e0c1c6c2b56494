// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.List;

/// Requests the answers to calls that the callee has acknowledged, in case the answers were lost
/// (Birrell and Nelson, "Implementing remote procedure calls", 1984).
///
/// @param from the caller
/// @param calls the numbers of the calls; at least one
public record Probe(Sender from, List<Long> calls) implements Message {
  /// The maximum number of calls in a small message.
  public static final int MOST_CALLS = 4000;

  private static final int HEADER = 256;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(HEADER + calls.size() * Long.BYTES);
    Frame.begin(out, Frame.Kind.PROBE, calls.getFirst());
    from.write(out);
    List<Long> others = calls.subList(1, calls.size());
    out.putInt(others.size());
    others.forEach(out::putLong);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#PROBE].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not such a message
  public static Probe from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    List<Long> calls = new ArrayList<>();
    calls.add(in.getLong());
    Sender from = Sender.read(in);
    int others = in.getCount(Long.BYTES);
    for (int other = 0; other < others; other++) {
      calls.add(in.getLong());
    }
    in.requireEnd();
    return new Probe(from, calls);
  }
}
