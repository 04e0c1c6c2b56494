// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.optim.server.view.RaftViews;
import dev.tensorbus.optim.server.view.Views;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// The maps of a server that does not vote. It asks one voter again and again for the next map, and
/// another voter if that one does not answer or has lost the majority.
///
/// A voter's answer also says how long the voter can rely on its map. This server relies on it for
/// as long, counted from its question.
final class RemoteViews implements Views<SlotMap, MapChange> {
  /// The time in periods after which another voter is asked: less than a lease.
  private static final int PATIENCE = 4;

  /// The time in periods after which a change is proposed again, for which the voters may need an
  /// election.
  private static final int LONG_PATIENCE = 40;

  private final List<String> voters;
  private final Platform platform;
  private final Duration period;
  private final Calls calls;
  private final Calls patientCalls;
  private final List<Consumer<SlotMap>> listeners = new CopyOnWriteArrayList<>();
  private volatile SlotMap map = SlotMap.UNKNOWN;
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean isClosed;

  /// The time at which the lease ends.
  private volatile long end;

  RemoteViews(Rpc rpc, List<String> voters, Platform platform) {
    this.voters = voters;
    this.platform = platform;
    period = RaftViews.period(rpc.heartbeatTimeout());
    calls = rpc.with(CallOptions.timeout(period.multipliedBy(PATIENCE)));
    patientCalls = rpc.with(CallOptions.timeout(period.multipliedBy(LONG_PATIENCE)));
    end = platform.clock().nanoTime();
    ask();
  }

  private String voter(int asked) {
    return voters.get(Math.floorMod(asked, voters.size()));
  }

  /// Asks another voter from now on, unless that has been decided already.
  private void leave(int asked) {
    turn.compareAndSet(asked, asked + 1);
  }

  private void ask() {
    int asked = turn.get();
    long now = platform.clock().nanoTime();
    try {
      calls
          .rpcAsync(voter(asked), ParameterServer::nextMap, map.epoch())
          .onComplete(answer -> answered(asked, answer, now));
    } catch (IllegalStateException e) { // this worker has left its world
      isClosed = true;
    }
  }

  private void answered(int asked, AsyncResult<MapAnswer> answer, long time) {
    if (isClosed) {
      return;
    }
    if (answer.succeeded() && answer.result().lease() > 0) {
      learn(answer.result(), time);
      ask();
    } else {
      leave(asked);
      platform.clock().after(period.toNanos() / 2, this::ask);
    }
  }

  private void learn(MapAnswer answer, long time) {
    SlotMap newer = answer.map();
    if (newer != null && newer.epoch() > map.epoch()) {
      map = newer;
      listeners.forEach(listener -> listener.accept(newer));
    }
    end = time + answer.lease();
  }

  @Override
  public SlotMap current() {
    return map;
  }

  @Override
  public Future<SlotMap> propose(MapChange change) {
    int asked = turn.get();
    return patientCalls
        .rpcAsync(voter(asked), ParameterServer::change, change)
        .onFailure(_ -> leave(asked));
  }

  @Override
  public void onChange(Consumer<SlotMap> listener) {
    listeners.add(listener);
  }

  @Override
  public boolean isLive() {
    return remainingLease() > 0;
  }

  @Override
  public long remainingLease() {
    return Math.max(0, end - platform.clock().nanoTime());
  }

  @Override
  public boolean isLeader() {
    return false;
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
