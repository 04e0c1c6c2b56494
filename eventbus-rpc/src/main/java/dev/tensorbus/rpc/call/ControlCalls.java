// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;

/// Sends Tensorbus's own control calls, and repeats them until they are answered or the other
/// worker has left. Control calls have no attachments and ignore the deadline of a surrounding
/// call.
///
/// @param sender sends the calls
public record ControlCalls(CallSender sender) {
  private static final CallOptions PERSISTENT =
      CallOptions.DEFAULT.withoutTimeout().withRetry(Duration.ofMillis(50));

  /// Sends a call to this incarnation of a worker only.
  public <R> Future<R> send(Sender to, Call<R> call) {
    return send(Target.life(to), call);
  }

  /// Sends a call to the worker with this name.
  public <R> Future<R> send(String to, Call<R> call) {
    return send(Target.worker(to), call);
  }

  private <R> Future<R> send(Target target, Call<R> call) {
    return sender.sendApart(target, call.with(PERSISTENT));
  }
}
