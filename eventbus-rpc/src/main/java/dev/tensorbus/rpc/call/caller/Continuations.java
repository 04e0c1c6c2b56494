// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.thread.execution.Continuation;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import io.vertx.core.internal.ContextInternal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Decides for each call on which thread its listeners run.
final class Continuations {
  private final ContextInternal loop;

  /// The adaptive policies of calls, by function.
  private final Map<FunctionName, ExecutionPolicy> adaptive = new ConcurrentHashMap<>();

  /// @param loop the event loop that receives answers
  Continuations(ContextInternal loop) {
    this.loop = loop;
  }

  /// Returns the continuation that the call's options specify, or else the default continuation of
  /// the calling thread.
  Continuation of(Call<?> call) {
    Execution said = call.options().continuation();
    if (said == null) {
      return ExecutionPolicy.whereCalled();
    }
    ExecutionPolicy policy =
        said == Execution.ADAPTIVE
            ? adaptive.computeIfAbsent(call.function(), key -> ExecutionPolicy.of(said))
            : ExecutionPolicy.of(said);
    return policy.continuation(loop);
  }
}
