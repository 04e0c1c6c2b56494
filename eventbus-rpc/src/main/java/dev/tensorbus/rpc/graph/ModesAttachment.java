// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.nn.ThreadModes;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.Binding;
import dev.tensorbus.rpc.call.CallAttachment;
import dev.tensorbus.rpc.call.OutgoingValue;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// Carries the modes of the calling thread, such as `NoGrad`. The method runs in exactly these
/// modes.
public record ModesAttachment() implements CallAttachment {
  private static final OnCallee WITHOUT_MODES = bound(ThreadModes.NONE);

  @Override
  public int id() {
    return 2;
  }

  @Override
  public @Nullable OnCaller call(FunctionName function, Target target) {
    ThreadModes modes = ThreadModes.here();
    return modes.equals(ThreadModes.NONE) ? null : sent(modes);
  }

  private static OnCaller sent(ThreadModes modes) {
    return new OnCaller() {
      @Override
      public void write(OutgoingValue arguments, Output out) {
        out.putByte(modes.bits());
      }
    };
  }

  @Override
  public OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in) {
    return in == null ? WITHOUT_MODES : bound(read(in));
  }

  private static ThreadModes read(Input in) {
    try {
      return new ThreadModes(in.getByte());
    } catch (IllegalArgumentException e) {
      throw new WireException("request in " + e.getMessage(), e);
    }
  }

  private static OnCallee bound(ThreadModes modes) {
    return new OnCallee() {
      @Override
      public void run(Runnable body) {
        modes.run(body);
      }
    };
  }

  @Override
  public Binding here() {
    return ThreadModes.here()::run;
  }
}
