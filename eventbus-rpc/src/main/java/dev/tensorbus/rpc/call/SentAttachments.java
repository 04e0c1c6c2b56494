// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.call.CallAttachment.OnCaller;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import org.jspecify.annotations.Nullable;

/// The attachments of a call that this worker makes.
public final class SentAttachments {
  /// An instance without attachments.
  public static final SentAttachments NONE =
      new SentAttachments(new CallAttachment[0], new OnCaller[0]);

  /// The initial buffer size in bytes, sufficient for most attachments.
  private static final int SIZE = 48;

  private final CallAttachment[] kinds;
  private final @Nullable OnCaller[] parts;

  /// @param parts the caller's side of each attachment; null for an attachment that takes no part
  ///     in this call
  SentAttachments(CallAttachment[] kinds, @Nullable OnCaller[] parts) {
    this.kinds = kinds;
    this.parts = parts;
  }

  /// Encodes the attachments for a call with these arguments.
  public Attached write(OutgoingValue arguments) {
    if (kinds.length == 0) {
      return Attached.NONE;
    }
    Output out = new Output(SIZE);
    for (int i = 0; i < parts.length; i++) {
      OnCaller part = parts[i];
      if (part != null) {
        int start = out.beginPart(kinds[i].id());
        part.write(arguments, out);
        out.endPart(start);
      }
    }
    return Attached.of(out);
  }

  /// Notifies each attachment that the call could not be sent.
  public void unsent() {
    for (OnCaller part : parts) {
      if (part != null) {
        part.unsent();
      }
    }
  }

  /// Passes the result, not yet decoded, to each attachment.
  ///
  /// @throws dev.tensorbus.rpc.WireException if an attachment of the result is invalid
  public void read(IncomingValue result, Attached attached) {
    if (kinds.length == 0) {
      return;
    }
    @Nullable Input[] inputs = Attachments.inputs(kinds, attached);
    for (int i = 0; i < parts.length; i++) {
      OnCaller part = parts[i];
      if (part != null) {
        part.read(result, inputs == null ? null : inputs[i]);
      }
    }
  }

  /// Notifies each attachment that the call has ended.
  ///
  /// @param error the local failure of the call; null if it was answered
  public void ended(Outcome outcome, @Nullable Throwable error) {
    for (OnCaller part : parts) {
      if (part != null) {
        part.ended(outcome, error);
      }
    }
  }
}
