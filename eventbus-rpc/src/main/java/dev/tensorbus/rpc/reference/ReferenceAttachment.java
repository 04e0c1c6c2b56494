// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.call.CallAttachment;
import dev.tensorbus.rpc.call.IncomingValue;
import dev.tensorbus.rpc.call.OutgoingValue;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.RefHandle;
import dev.tensorbus.rpc.wire.Sender;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Carries the references of a call: the receiver, the reference to a result that stays on the
/// callee, and the forks of references in arguments and results.
///
/// @param references the references of this worker
public record ReferenceAttachment(References references) implements CallAttachment {
  private static final System.Logger LOG = System.getLogger(ReferenceAttachment.class.getName());

  /// The size of the smallest handle in bytes.
  private static final int SMALLEST_HANDLE = 4 * Long.BYTES;

  @Override
  public int id() {
    return 4;
  }

  @Override
  public OnCaller call(FunctionName function, Target target) {
    return new Sent(references, target.receiver(), target.result());
  }

  @Override
  public OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in) {
    return in == null
        ? new Received(references, function, caller, null, null, List.of())
        : new Received(
            references,
            function,
            caller,
            in.getOptional(GlobalId::read),
            in.getOptional(ForkId::read),
            readHandles(in));
  }

  private static List<RefHandle> readHandles(Input in) {
    int count = in.getCount(SMALLEST_HANDLE);
    List<RefHandle> handles = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      handles.add(RefHandle.read(in));
    }
    in.requireEnd();
    return handles;
  }

  /// The references in the values that a call sends and receives.
  private static class Forks {
    final References references;
    private final List<GlobalId> sent = new ArrayList<>(0);

    Forks(References references) {
      this.references = references;
    }

    /// Creates and writes a fork of each reference in a value, for the receiver of the value.
    void fork(OutgoingValue value, Output out) {
      out.putInt(value.references().size());
      for (RRef<?> reference : value.references()) {
        references.fork(reference, value.to(), sent::add).write(out);
      }
    }

    /// Takes back the forks of a message that was never sent.
    void recall() {
      references.recall(sent);
    }

    /// Records that the sent forks arrive within the given number of nanoseconds or never.
    void arriveIn(long nanos) {
      if (!sent.isEmpty()) {
        references.arriveIn(nanos, sent);
      }
    }

    /// Adds the received references to a value. Blocks until their owners have registered them.
    void adopt(List<RefHandle> handles, IncomingValue value) {
      for (RefHandle handle : handles) {
        value.add(references.adopt(handle));
      }
      references.confirm(handles, value.from(), Duration.ofNanos(Math.max(1, value.nanos())));
    }
  }

  /// A call that this worker makes.
  private static final class Sent extends Forks implements OnCaller {
    private final @Nullable GlobalId receiver;
    private final @Nullable ForkId result;

    private Sent(References references, @Nullable GlobalId receiver, @Nullable ForkId result) {
      super(references);
      this.receiver = receiver;
      this.result = result;
    }

    @Override
    public void write(OutgoingValue arguments, Output out) {
      if (receiver != null || result != null || !arguments.references().isEmpty()) {
        out.putOptional(receiver, GlobalId::write);
        out.putOptional(result, ForkId::write);
        fork(arguments, out);
      }
    }

    @Override
    public void unsent() {
      recall();
    }

    @Override
    public void read(IncomingValue value, @Nullable Input in) {
      if (in != null) {
        adopt(readHandles(in), value);
      }
    }

    @Override
    public void ended(Outcome outcome, @Nullable Throwable error) {
      arriveIn(0);
    }
  }

  /// A call that this worker runs.
  private static final class Received extends Forks implements OnCallee {
    private final FunctionName function;
    private final Sender caller;
    private final @Nullable GlobalId receiver;
    private final @Nullable ForkId result;
    private final List<RefHandle> handles;
    private @Nullable Object object;
    private @Nullable OwnedRRef<Object> place;

    private Received(
        References references,
        FunctionName function,
        Sender caller,
        @Nullable GlobalId receiver,
        @Nullable ForkId result,
        List<RefHandle> handles) {
      super(references);
      this.function = function;
      this.caller = caller;
      this.receiver = receiver;
      this.result = result;
      this.handles = handles;
    }

    @Override
    public boolean mayBlock() {
      return !handles.isEmpty() || (receiver != null && !references.isMade(receiver));
    }

    @Override
    public void begin() {
      place = result == null ? null : references.create(result, caller);
    }

    /// Waits for the receiver before adopting references among the arguments: once they are
    /// adopted, the method must run, because only the method can close them.
    @Override
    public void read(IncomingValue arguments) {
      object = receiver == null ? null : references.awaitObject(receiver);
      adopt(handles, arguments);
    }

    @Override
    public @Nullable Object[] arguments(@Nullable Object[] decoded) {
      if (receiver == null) {
        return decoded;
      }
      @Nullable Object[] all = new Object[decoded.length + 1];
      all[0] = object;
      System.arraycopy(decoded, 0, all, 1, decoded.length);
      return all;
    }

    @Override
    public @Nullable Object result(@Nullable Object returned) {
      if (place == null) {
        return returned;
      }
      place.value().tryComplete(returned);
      return null;
    }

    @Override
    public void write(OutgoingValue value, Output out) {
      if (!value.references().isEmpty()) {
        fork(value, out);
        arriveIn(value.nanos());
      }
    }

    @Override
    public void unsent() {
      recall();
    }

    @Override
    public void fail(Throwable error) {
      OwnedRRef<Object> its = orCreate();
      if (its != null) {
        its.value().tryFail(error);
      }
    }

    /// Fails the reference for the result, unless the caller is this worker, which knows why the
    /// call was cancelled.
    @Override
    public void giveUp() {
      OwnedRRef<Object> its = orCreate();
      if (its != null && !caller.equals(references.self())) {
        String who =
            caller.info() + " cancelled " + function + ", which should have created the object";
        its.value().tryFail(new CancellationException(who));
      }
    }

    /// Returns the reference for the result, creating it if necessary, or null if no worker refers
    /// to the result.
    private @Nullable OwnedRRef<Object> orCreate() {
      if (place == null && result != null) {
        try {
          place = references.create(result, caller);
        } catch (IllegalArgumentException e) { // no worker refers to the result any more
          LOG.log(Level.DEBUG, () -> function + " creates no object: " + e.getMessage());
        }
      }
      return place;
    }
  }
}
