// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.replica.Surroundings;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.optim.server.view.RaftViews;
import dev.tensorbus.optim.server.view.Views;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// A worker that holds a part of the parameters of all [ParameterStore]s, and copies of other
/// parts. If a server dies, one of its backups takes its place, and nothing that a trainer was told
/// is lost.
///
/// ```java
/// ParameterServer.start(rpc, ServerOptions.of("worker0", "worker1", "worker2"));
/// ```
///
/// A server needs no code for a model: the first trainer tells it the parameters.
public final class ParameterServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ParameterServer.class.getName());
  private static final Duration RETRY = Duration.ofMillis(50);

  private final Rpc rpc;
  private final Life self;
  private final Platform platform;
  private final Views<SlotMap, MapChange> views;
  private final SlotServer server;

  /// The maps that the server has yet to see. Reading one may mean copying slots, which takes long,
  /// so the listener's thread only queues them.
  private final BlockingQueue<SlotMap> maps = new LinkedBlockingQueue<>();

  private final Thread mapReader;

  /// By server: when this worker heard of its loss.
  private final Map<Life, Long> lostAt = new ConcurrentHashMap<>();

  /// The parameter server of a worker, if it has one.
  private static final class Holder {
    private volatile @Nullable ParameterServer server;
  }

  private ParameterServer(Rpc rpc, ServerOptions options) {
    this.rpc = rpc;
    platform = Platform.ofSystem("server-" + rpc.self().name());
    self = new Life(rpc.self().name(), platform.random().nextLong());
    SlotMap.Settings settings = new SlotMap.Settings(options.servers().size(), options.backups());
    views =
        RaftViews.open(
            rpc, options.voters(), SlotMap.empty(settings), SlotMap::after, rpc.heartbeatTimeout());
    server = new SlotServer(self, views.current(), new WorkerSurroundings());
    views.onChange(maps::add);
    maps.add(views.current()); // it may have changed before
    mapReader = platform.threads().start("server-maps-" + self, this::readMaps);
    rpc.onWorkerLost(this::lost);
  }

  /// Makes a worker a parameter server or a witness. Other workers may be missing still: trainers
  /// that join earlier wait for them.
  ///
  /// @throws IllegalArgumentException if the worker is not one of the servers or witnesses
  /// @throws IllegalStateException if the worker is a parameter server already
  public static ParameterServer start(Rpc rpc, ServerOptions options) {
    String name = rpc.self().name();
    if (!options.voters().contains(name)) {
      throw new IllegalArgumentException(
          "worker %s is none of the servers and witnesses %s".formatted(name, options.voters()));
    }
    Holder holder = rpc.shared(Holder.class, Holder::new);
    if (holder.server != null) {
      throw new IllegalStateException("worker " + name + " is a parameter server already");
    }
    ParameterServer started = new ParameterServer(rpc, options);
    holder.server = started;
    if (options.servers().contains(name)) { // a witness never has a slot
      started.propose(new MapChange.Joined(started.self));
    }
    return started;
  }

  private void readMaps() {
    try {
      while (true) {
        SlotMap before = server.map();
        SlotMap next = maps.take();
        server.setMap(next);
        before.servers().stream()
            .filter(life -> !next.servers().contains(life))
            .forEach(life -> report(life, before, next));
      }
    } catch (InterruptedException e) {
      // this server is closed
    }
  }

  /// Says which slots of a server that has died this server has now, and which nobody has.
  private void report(Life dead, SlotMap before, SlotMap next) {
    List<Integer> slots = before.slotsOf(dead);
    long taken = slots.stream().filter(slot -> self.equals(next.primary(slot))).count();
    long lost = slots.stream().filter(slot -> next.primary(slot) == null).count();
    if (taken > 0) {
      LOG.log(
          Level.INFO,
          "{0} died; {1} has taken over {2} slots{3}; nothing is lost",
          dead,
          self,
          taken,
          since(lostAt.remove(dead)));
    }
    if (lost > 0) {
      LOG.log(
          Level.ERROR,
          "{0} died, and the parameters in {1} of its slots with it; start the world again, and"
              + " give each slot a backup",
          dead,
          lost);
    }
  }

  private String since(@Nullable Long time) {
    return time == null ? "" : " in %.2f s".formatted((platform.clock().nanoTime() - time) / 1e9);
  }

  private void lost(WorkerInfo worker) {
    long now = platform.clock().nanoTime();
    platform
        .threads()
        .start(
            "lost-" + worker.name(),
            () -> {
              for (Life life : server.map().servers()) {
                if (life.worker().equals(worker.name())) {
                  lostAt.put(life, now);
                  propose(new MapChange.Left(life));
                }
              }
              server.lose(worker.name());
            });
  }

  /// Proposes a change until the servers have agreed on it or on its contrary.
  private void propose(MapChange change) {
    views
        .propose(change)
        .onFailure(
            error -> {
              LOG.log(Level.WARNING, "{0}: {1}; trying again", change, error.getMessage());
              if (!platform.clock().isStopped()) {
                platform.clock().after(RETRY.toNanos(), () -> propose(change));
              }
            });
  }

  /// Returns the map of the current worker's server, or an empty one if it has none yet.
  @Remote
  static SlotMap map() {
    ParameterServer here = here();
    return here == null ? SlotMap.UNKNOWN : here.server.map();
  }

  private static @Nullable ParameterServer here() {
    return Rpc.current().shared(Holder.class, Holder::new).server;
  }

  private static SlotServer server() {
    ParameterServer here = here();
    if (here == null) {
      throw new IllegalStateException(
          "worker %s is no parameter server; call ParameterServer.start there"
              .formatted(Rpc.current().self().name()));
    }
    return here.server;
  }

  @Remote
  static Future<SlotAnswer> join(JoinRequest request) {
    return server().join(request);
  }

  @Remote
  static Future<SlotAnswer> push(PushRequest request) {
    return server().push(request);
  }

  @Remote
  static Future<PullAnswer> pull(PullRequest request) {
    return server().pull(request);
  }

  @Remote
  static Future<SlotAnswer> leave(LeaveRequest request) {
    return server().leave(request);
  }

  @Remote
  static Future<List<Boolean>> backUp(BackupMessage message) {
    ParameterServer here = here();
    return here == null ? Future.succeededFuture(message.refused()) : here.server.handle(message);
  }

  /// Leaves the servers. The parameters that have no copy elsewhere are lost, so close it only
  /// after the worker has left its world. A process that ends need not close it.
  @Override
  public void close() {
    views.close();
    mapReader.interrupt();
    platform.clock().stop();
  }

  private final class WorkerSurroundings implements Surroundings {
    private final Calls unlimited = rpc.with(CallOptions.DEFAULT.withoutTimeout());

    @Override
    public Future<List<Boolean>> send(BackupMessage message) {
      try {
        return unlimited.rpcAsync(message.to().worker(), ParameterServer::backUp, message);
      } catch (IllegalStateException e) { // the worker has left its world
        close();
        return Future.failedFuture(e);
      }
    }

    @Override
    public void propose(MapChange change) {
      ParameterServer.this.propose(change);
    }

    @Override
    public boolean isLive() {
      return views.isLive();
    }

    @Override
    public boolean isPresent(String worker) {
      return rpc.workers().stream().anyMatch(info -> info.name().equals(worker));
    }

    @Override
    public void after(Duration time, Runnable action) {
      platform
          .clock()
          .after(time.toNanos(), () -> platform.threads().start("server-" + self, action));
    }
  }
}
