// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.ControlCalls;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.graph.Transport;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.idle.SpinThenPark;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Release;
import dev.tensorbus.rpc.world.membership.Membership;
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
public final class GraphTransport implements Transport {
  /// A gradient that is lost would end its pass.
  private static final CallOptions REPEATED =
      CallOptions.DEFAULT.withRetry(Duration.ofMillis(200)).continuingOn(Execution.EVENT_LOOP);

  private static final FunctionName BACKWARD = new FunctionName("a pass", "backward");
  private static final int MOST_RELEASES = 16;

  private final CallSender calls;
  private final Membership membership;
  private final Peers peers;
  private final SpinThenPark waits;
  private final Duration timeout;

  /// By worker; guards itself.
  private final Map<String, List<Long>> releases = new HashMap<>();

  public GraphTransport(
      CallSender calls, Membership membership, Peers peers, SpinThenPark waits, Duration timeout) {
    this.calls = calls;
    this.membership = membership;
    this.peers = peers;
    this.waits = waits;
    this.timeout = timeout;
  }

  @Override
  public <R> Future<R> send(String to, Call<R> message) {
    return calls.send(Target.worker(to), message.with(REPEATED));
  }

  @Override
  public <R> Future<R> ask(String to, Call<R> message) {
    return calls.send(Target.worker(to), message);
  }

  @Override
  public WorkerInfo worker(int rank) {
    return membership.requireRank(rank).info();
  }

  @Override
  public <R> Future<R> insist(String to, Call<R> message) {
    return new ControlCalls(calls).send(to, message);
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
  public void sendReleases() {
    Map<String, List<Long>> all;
    synchronized (releases) {
      all = Map.copyOf(releases);
      releases.clear();
    }
    all.forEach(this::tell);
  }

  private void tell(String worker, List<Long> contexts) {
    Sender life = membership.life(worker);
    if (life != null) {
      peers.send(life, new Release(peers.self().sender(), contexts).toFrame());
    }
  }

  @Override
  public <R> Future<R> onVirtualThread(Supplier<Future<R>> work) {
    CallContext call = CallContext.around();
    return VirtualThreads.call("tensorbus-pass", () -> CallContext.in(call, work))
        .compose(done -> done);
  }

  @Override
  public boolean await(Future<Void> end, Duration limit) {
    return waits.await(BACKWARD, end, () -> comes(end, limit.toMillis()));
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
    return timeout;
  }
}
