// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.pending.Target;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/// Control messages: sent again and again until they are answered, or the other has left. They
/// belong to no autograd context, and to no call, whose deadline would bound them.
record ControlCalls(EventBusRpc rpc) implements Calls {
  private static final CallOptions PERSISTENT =
      CallOptions.DEFAULT.withoutTimeout().withRetry(Duration.ofMillis(50));

  private static <R> R outside(Supplier<R> call) {
    return CallContext.outside(() -> Contexts.call(null, call));
  }

  /// Sends a message to one life of a worker and no other.
  <R> Future<R> send(Sender to, Call<R> call) {
    return outside(() -> rpc.caller().send(Target.life(to), call.with(PERSISTENT)));
  }

  @Override
  public <R> Future<R> send(String to, Call<R> call) {
    return outside(() -> rpc.send(to, call.with(PERSISTENT)));
  }

  @Override
  public <R> R call(String to, Call<R> call) {
    return VirtualThreads.await(send(to, call));
  }

  @Override
  public <R> RRef<R> create(String to, Call<R> call) {
    return outside(() -> rpc.create(to, call.with(PERSISTENT)));
  }
}
