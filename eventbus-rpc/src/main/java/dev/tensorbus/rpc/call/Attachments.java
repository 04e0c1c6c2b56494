// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.CallAttachment.OnCallee;
import dev.tensorbus.rpc.call.CallAttachment.OnCaller;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Sender;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The attachments of a worker's calls. They are registered while the worker is assembled, and
/// called in order of registration.
public final class Attachments {
  private CallAttachment[] kinds = {};

  /// Creates an empty set of attachments.
  public Attachments() {}

  /// Registers an attachment.
  ///
  /// @throws IllegalArgumentException if another attachment has the same id
  public void add(CallAttachment kind) {
    for (CallAttachment other : kinds) {
      if (other.id() == kind.id()) {
        throw new IllegalArgumentException(
            "%s and %s both have the attachment id %d".formatted(other, kind, kind.id()));
      }
    }
    CallAttachment[] more = Arrays.copyOf(kinds, kinds.length + 1);
    more[kinds.length] = kind;
    kinds = more;
  }

  /// Returns the attachments of a call that this thread makes.
  public SentAttachments call(FunctionName function, Target target) {
    @Nullable OnCaller[] parts = new OnCaller[kinds.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = kinds[i].call(function, target);
    }
    return new SentAttachments(kinds, parts);
  }

  /// Returns the attachments of a received call.
  ///
  /// @throws WireException if an attachment is invalid or has an unknown id
  public ReceivedAttachments arrive(FunctionName function, Sender caller, Attached attached) {
    @Nullable Input[] inputs = inputs(kinds, attached);
    @Nullable OnCallee[] parts = new OnCallee[kinds.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = kinds[i].arrive(function, caller, inputs == null ? null : inputs[i]);
    }
    return new ReceivedAttachments(kinds, parts);
  }

  /// Returns the data of each attachment, or null if the message has none. Rejects unknown ids,
  /// because a call might behave differently without the attachment.
  static @Nullable Input @Nullable [] inputs(CallAttachment[] kinds, Attached attached) {
    if (attached.isEmpty()) {
      return null;
    }
    @Nullable Input[] inputs = new Input[kinds.length];
    attached.forEach((id, in) -> inputs[index(kinds, id)] = in);
    return inputs;
  }

  private static int index(CallAttachment[] kinds, int id) {
    for (int i = 0; i < kinds.length; i++) {
      if (kinds[i].id() == id) {
        return i;
      }
    }
    throw new WireException(
        "a message has an attachment of unknown id "
            + id
            + "; start all workers from the same build",
        null);
  }

  /// Returns a binding of all values that attachments have bound to this thread.
  public Binding here() {
    Binding all = Runnable::run;
    for (int i = kinds.length - 1; i >= 0; i--) {
      Binding here = kinds[i].here();
      if (here != null) {
        Binding inner = all;
        all = body -> here.run(() -> inner.run(body));
      }
    }
    return all;
  }
}
