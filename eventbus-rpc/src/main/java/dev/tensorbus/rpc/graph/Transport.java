// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.Call;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/// What distributed autograd needs of the worker that it runs on.
public interface Transport {
  /// Sends a message of a pass. What follows on its answer never waits: it may run on an event
  /// loop.
  <R> Future<R> send(String to, Call<R> message);

  /// Sends a message again and again, until it is answered or its worker has left.
  <R> Future<R> insist(String to, Call<R> message);

  /// Tells a worker soon, if it is still there, that a context is over.
  void release(String worker, long context);

  /// Has a thread that may wait go on with the present remote call.
  <R> Future<R> aside(Supplier<Future<R>> work);

  /// Waits for the end of a pass, for this long at most; whether it has come.
  boolean await(Future<Void> end, Duration limit);

  /// How long a worker may take to answer a message of a pass.
  Duration timeout();
}
