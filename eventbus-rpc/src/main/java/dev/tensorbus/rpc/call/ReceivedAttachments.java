// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.call.CallAttachment.OnCallee;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Output;
import org.jspecify.annotations.Nullable;

/// The attachments of a call that this worker received. Each method calls them in order.
public final class ReceivedAttachments {
  /// An instance without attachments.
  public static final ReceivedAttachments NONE =
      new ReceivedAttachments(new CallAttachment[0], new OnCallee[0]);

  /// The initial buffer size in bytes, sufficient for most attachments.
  private static final int SIZE = 48;

  private final CallAttachment[] kinds;
  private final @Nullable OnCallee[] parts;

  /// @param parts the callee's side of each attachment; null for an attachment that takes no part
  ///     in this call
  ReceivedAttachments(CallAttachment[] kinds, @Nullable OnCallee[] parts) {
    this.kinds = kinds;
    this.parts = parts;
  }

  /// Runs `body` with the values of all attachments bound.
  public void run(Runnable body) {
    run(0, body);
  }

  private void run(int first, Runnable body) {
    int next = first;
    while (next < parts.length && parts[next] == null) {
      next++;
    }
    if (next == parts.length) {
      body.run();
    } else {
      int rest = next + 1;
      parts[next].run(() -> run(rest, body));
    }
  }

  /// Returns whether reading the arguments may block.
  public boolean mayBlock() {
    for (OnCallee part : parts) {
      if (part != null && part.mayBlock()) {
        return true;
      }
    }
    return false;
  }

  /// Calls [OnCallee#begin].
  public void begin() {
    for (OnCallee part : parts) {
      if (part != null) {
        part.begin();
      }
    }
  }

  /// Calls [OnCallee#read].
  public void read(IncomingValue arguments) {
    for (OnCallee part : parts) {
      if (part != null) {
        part.read(arguments);
      }
    }
  }

  /// Calls [OnCallee#arguments].
  public @Nullable Object[] arguments(@Nullable Object[] decoded) {
    @Nullable Object[] arguments = decoded;
    for (OnCallee part : parts) {
      arguments = part == null ? arguments : part.arguments(arguments);
    }
    return arguments;
  }

  /// Calls [OnCallee#result].
  public @Nullable Object result(@Nullable Object returned) {
    Object result = returned;
    for (OnCallee part : parts) {
      result = part == null ? result : part.result(result);
    }
    return result;
  }

  /// Encodes the attachments for a call with this result.
  public Attached write(OutgoingValue result) {
    Output out = new Output(SIZE);
    for (int i = 0; i < parts.length; i++) {
      OnCallee part = parts[i];
      if (part != null) {
        int start = out.beginPart(kinds[i].id());
        part.write(result, out);
        out.endPart(start);
      }
    }
    return Attached.of(out);
  }

  /// Calls [OnCallee#unsent].
  public void unsent() {
    for (OnCallee part : parts) {
      if (part != null) {
        part.unsent();
      }
    }
  }

  /// Calls [OnCallee#ended].
  public void ended(@Nullable Throwable error) {
    for (OnCallee part : parts) {
      if (part != null) {
        part.ended(error);
      }
    }
  }

  /// Calls [OnCallee#fail].
  public void fail(Throwable error) {
    for (OnCallee part : parts) {
      if (part != null) {
        part.fail(error);
      }
    }
  }

  /// Calls [OnCallee#giveUp].
  public void giveUp() {
    for (OnCallee part : parts) {
      if (part != null) {
        part.giveUp();
      }
    }
  }
}
