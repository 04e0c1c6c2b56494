// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/// Runs a voter on an event loop of a worker. Messages are calls whose answers nobody awaits.
final class RpcVoter implements VoterHost {
  private static final System.Logger LOG = System.getLogger(RpcVoter.class.getName());

  /// The voter of a worker, for the remote method.
  private static final class Inbox {
    private final AtomicReference<RaftViews<?, ?>> views = new AtomicReference<>();
  }

  private final Context context;
  private final Calls calls;
  private final RandomGenerator random = new SecureRandom();

  /// @param patience the time after which a message is no longer worth sending
  RpcVoter(Rpc rpc, Duration patience) {
    this.context = rpc.vertx().getOrCreateContext();
    this.calls = rpc.with(CallOptions.timeout(patience).continuingOn(Execution.EVENT_LOOP));
  }

  /// Delivers the messages and losses of the worker to its voter from now on.
  ///
  /// @throws IllegalStateException if the worker votes already
  static void connect(Rpc rpc, RaftViews<?, ?> views) {
    if (!rpc.shared(Inbox.class, Inbox::new).views.compareAndSet(null, views)) {
      throw new IllegalStateException(rpc.self().name() + " votes already; close its other views");
    }
    rpc.onWorkerLost(worker -> views.lost(worker.name()));
  }

  static void disconnect(Rpc rpc, RaftViews<?, ?> views) {
    rpc.shared(Inbox.class, Inbox::new).views.compareAndSet(views, null);
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static void receive(VoterMessage message) {
    RaftViews<?, ?> views = Rpc.current().shared(Inbox.class, Inbox::new).views.get();
    if (views != null) {
      views.receive(Rpc.caller().name(), message);
    }
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  @Override
  public void after(long nanos, Runnable task) {
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    context.owner().setTimer(millis, ignored -> execute(task));
  }

  @Override
  public long nanoTime() {
    return NanoClock.SYSTEM.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void send(String voter, VoterMessage message) {
    try {
      Future<Void> _ = calls.rpcAsync(voter, RpcVoter::receive, message);
    } catch (IllegalStateException e) {
      LOG.log(Level.DEBUG, "this worker has left", e);
    }
  }

  @Override
  public void warn(String line) {
    LOG.log(Level.WARNING, line);
  }
}
