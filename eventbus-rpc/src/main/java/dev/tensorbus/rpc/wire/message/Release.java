// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.List;

/// Tells a worker that distributed autograd contexts have ended. This message is not answered: a
/// worker that misses it finds out by asking; see docs/dist-autograd.md.
///
/// @param from the sender
/// @param contexts the ids of the contexts; at least one
public record Release(Sender from, List<Long> contexts) implements Message {
  private static final int HEADER = 256;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(HEADER + contexts.size() * Long.BYTES);
    Frame.begin(out, Frame.Kind.RELEASE, contexts.getFirst());
    from.write(out);
    List<Long> others = contexts.subList(1, contexts.size());
    out.putInt(others.size());
    others.forEach(out::putLong);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#RELEASE].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not such a message
  public static Release from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    List<Long> contexts = new ArrayList<>();
    contexts.add(in.getLong());
    Sender from = Sender.read(in);
    int others = in.getCount(Long.BYTES);
    for (int other = 0; other < others; other++) {
      contexts.add(in.getLong());
    }
    in.requireEnd();
    return new Release(from, contexts);
  }
}
