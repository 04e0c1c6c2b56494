// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/// The services of a worker that distributed autograd uses.
public interface Transport {
  /// Sends a message of a pass. The caller continues on an event loop, so it must not block.
  <R> Future<R> send(String to, Call<R> message);

  /// Sends a message once. The caller may block when its answer comes.
  <R> Future<R> ask(String to, Call<R> message);

  /// Sends a message again and again, until it is answered or its worker has left.
  <R> Future<R> insist(String to, Call<R> message);

  /// The worker of this rank.
  ///
  /// @throws dev.tensorbus.rpc.NoSuchWorkerException if there is none
  WorkerInfo worker(int rank);

  /// Tells a worker soon, if it is still there, that a context is over.
  void release(String worker, long context);

  /// Continues the present remote call on a virtual thread, which may block.
  <R> Future<R> onVirtualThread(Supplier<Future<R>> work);

  /// Waits for the end of a pass, for this long at most.
  ///
  /// @return whether it has come
  boolean await(Future<Void> end, Duration limit);

  /// How long a worker may take to answer a message of a pass.
  Duration timeout();
}
