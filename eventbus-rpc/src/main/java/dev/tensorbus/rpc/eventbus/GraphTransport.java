// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.graph.Transport;
import dev.tensorbus.rpc.pending.Target;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.wire.Release;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Carries the messages of distributed autograd.
///
/// A message at the end of each context would delay the first call of the next. So contexts that
/// are over are collected for a moment and their workers told of several at a time.
final class GraphTransport implements Transport {
  /// A gradient that is lost would end its pass.
  private static final CallOptions REPEATED =
      CallOptions.DEFAULT.withRetry(Duration.ofMillis(200)).goingOnBriefly();

  private static final FunctionName BACKWARD = new FunctionName("a pass", "backward");
  private static final int MOST_RELEASES = 16;

  private final EventBusRpc rpc;
  private final Outlet outlet;

  /// By worker; guards itself.
  private final Map<String, List<Long>> releases = new HashMap<>();

  GraphTransport(EventBusRpc rpc, Outlet outlet) {
    this.rpc = rpc;
    this.outlet = outlet;
  }

  @Override
  public <R> Future<R> send(String to, Call<R> message) {
    return rpc.caller().send(Target.worker(to), message.with(REPEATED));
  }

  @Override
  public <R> Future<R> insist(String to, Call<R> message) {
    return rpc.control().send(to, message);
  }

  @Override
  public void release(String worker, long context) {
    List<Long> waiting;
    synchronized (releases) {
      waiting = releases.computeIfAbsent(worker, key -> new ArrayList<>());
      waiting.add(context);
      if (waiting.size() < MOST_RELEASES) {
        return;
      }
      releases.remove(worker);
    }
    tell(worker, waiting);
  }

  /// Tells of all contexts that were collected.
  void sendReleases() {
    Map<String, List<Long>> all;
    synchronized (releases) {
      all = Map.copyOf(releases);
      releases.clear();
    }
    all.forEach(this::tell);
  }

  private void tell(String worker, List<Long> contexts) {
    Sender life = rpc.membership().life(worker);
    if (life != null) {
      outlet.send(life, new Release(contexts).toFrame());
    }
  }

  @Override
  public <R> Future<R> aside(Supplier<Future<R>> work) {
    CallContext call = CallContext.around();
    return VirtualThreads.call("tensorbus-pass", () -> CallContext.in(call, work))
        .compose(done -> done);
  }

  @Override
  public boolean await(Future<Void> end, Duration limit) {
    return rpc.caller().lookout().await(BACKWARD, end, () -> comes(end, limit.toMillis()));
  }

  private static boolean comes(Future<Void> end, long millis) {
    try {
      end.await(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Override
  public Duration timeout() {
    return rpc.timeout();
  }
}
