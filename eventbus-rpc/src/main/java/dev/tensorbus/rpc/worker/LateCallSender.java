// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.wire.ForkId;
import io.vertx.core.Future;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Stands for the [dev.tensorbus.rpc.exchange.Caller] while a worker is assembled: the caller
/// encodes references, and these make calls.
final class LateCallSender implements CallSender {
  private @Nullable CallSender caller;

  /// Hands all calls to this one from now on. To be called before the worker is known to others.
  void handTo(CallSender sender) {
    caller = sender;
  }

  private CallSender caller() {
    return Objects.requireNonNull(caller, "the worker is not assembled yet");
  }

  @Override
  public <R> Future<R> send(Target target, Call<R> call) {
    return caller().send(target, call);
  }

  @Override
  public <R> R call(Target target, Call<R> call) {
    return caller().call(target, call);
  }

  @Override
  public Future<Void> sendToKeep(Target target, ForkId result, Call<?> call) {
    return caller().sendToKeep(target, result, call);
  }
}
