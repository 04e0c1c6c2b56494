// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.ServerStatus.Group;
import dev.tensorbus.optim.server.ServerStatus.TakeOver;
import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.ConsistencyAnswer;
import dev.tensorbus.optim.server.replica.ConsistencyRequest;
import dev.tensorbus.optim.server.replica.JoinAnswer;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PartStatus;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.RestoreRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.replica.StateAnswer;
import dev.tensorbus.optim.server.replica.StateRequest;
import dev.tensorbus.optim.server.replica.Surroundings;
import dev.tensorbus.optim.server.replica.TrainersAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.Part;
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
import io.vertx.core.Promise;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A worker that holds a part of the parameters of all [ParameterStore]s, and copies of other
/// parts. If a server dies, one of its backups takes its place, and nothing that a trainer was told
/// is lost.
///
/// ```java
/// ParameterServer.start(rpc, ServerOptions.of("worker0", "worker1", "worker2"));
/// ```
///
/// A server needs no code for a model: the first trainer tells it the parameters. [#start] and
/// [#add] return before other servers have joined; [#isComplete] says when they have. Thread-safe.
public final class ParameterServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ParameterServer.class.getName());
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final int MOST_TAKE_OVERS = 16;

  private final Rpc rpc;
  private final Life self;
  private final Platform platform;
  private final Views<SlotMap, MapChange> views;
  private final SlotServer server;

  /// The maps that the server has yet to see. Reading one may mean copying slots, which takes long,
  /// so the listener's thread only queues them.
  private final BlockingQueue<SlotMap> maps = new LinkedBlockingQueue<>();

  private final Thread mapReader;

  /// The trainers, and the servers without a vote, that wait for the next map.
  private final Set<Promise<SlotMap>> followers = ConcurrentHashMap.newKeySet();

  /// By server: when this worker heard of its loss.
  private final Map<Life, Long> lostAt = new ConcurrentHashMap<>();

  private final Deque<TakeOver> takeOvers = new ConcurrentLinkedDeque<>();

  /// The parameter server of a worker, if it has one.
  private static final class Holder {
    private volatile @Nullable ParameterServer server;
  }

  /// Thrown to a caller if this worker has no server. It may have been started again a moment ago.
  static final class NotStartedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private NotStartedException(String worker) {
      super("worker %s is no parameter server; call ParameterServer.start there".formatted(worker));
    }
  }

  private ParameterServer(Rpc rpc, ServerOptions options, boolean votes) {
    this.rpc = rpc;
    platform = Platform.ofSystem("server-" + rpc.self().name());
    self = new Life(rpc.self().name(), platform.random().nextLong());
    views = votes ? agreement(rpc, options) : new RemoteViews(rpc, options.voters(), platform);
    server = new SlotServer(self, views.current(), new WorkerSurroundings());
    views.onChange(maps::add);
    views.onChange(this::tellFollowers);
    maps.add(views.current()); // it may have changed before
    mapReader = platform.threads().start("server-maps-" + self, this::readMaps);
    rpc.onWorkerLost(this::lost);
  }

  private static Views<SlotMap, MapChange> agreement(Rpc rpc, ServerOptions options) {
    SlotMap.Settings settings = new SlotMap.Settings(options.servers().size(), options.backups());
    return RaftViews.open(
        rpc, options.voters(), SlotMap.empty(settings), SlotMap::after, rpc.heartbeatTimeout());
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
          "worker %s is none of the servers and witnesses %s; ParameterServer.add adds a server"
              .formatted(name, options.voters()));
    }
    return open(rpc, options, true);
  }

  /// Makes a worker a further parameter server. It takes over its share of the parameters, while
  /// trainers continue. It has no vote: a majority of the servers and witnesses of the options must
  /// remain alive.
  ///
  /// @param options the options of the other servers
  /// @throws IllegalArgumentException if the worker is one of the servers and witnesses
  /// @throws IllegalStateException if the worker is a parameter server already
  public static ParameterServer add(Rpc rpc, ServerOptions options) {
    String name = rpc.self().name();
    if (options.voters().contains(name)) {
      throw new IllegalArgumentException(
          "worker %s is one of the servers and witnesses %s; call ParameterServer.start"
              .formatted(name, options.voters()));
    }
    return open(rpc, options, false);
  }

  private static ParameterServer open(Rpc rpc, ServerOptions options, boolean votes) {
    String name = rpc.self().name();
    Holder holder = rpc.shared(Holder.class, Holder::new);
    if (holder.server != null) {
      throw new IllegalStateException("worker " + name + " is a parameter server already");
    }
    ParameterServer started = new ParameterServer(rpc, options, votes);
    holder.server = started;
    if (!options.witnesses().contains(name)) { // a witness never has a slot
      Future<SlotMap> _ = started.proposeUntilAgreed(new MapChange.Joined(started.self));
    }
    return started;
  }

  private void tellFollowers(SlotMap map) {
    followers.forEach(follower -> follower.tryComplete(map));
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
    Long since = lostAt.remove(dead);
    add(new TakeOver(dead.worker(), (int) taken, (int) lost, since == null ? 0 : millis(since)));
    if (taken > 0) {
      LOG.log(
          Level.INFO,
          "{0} died; {1} has taken over {2} slots{3}; nothing is lost",
          dead,
          self,
          taken,
          since == null ? "" : " in %.2f s".formatted(millis(since) / 1e3));
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

  private long millis(long since) {
    return (platform.clock().nanoTime() - since) / 1_000_000;
  }

  private void add(TakeOver takeOver) {
    takeOvers.add(takeOver);
    if (takeOvers.size() > MOST_TAKE_OVERS) {
      takeOvers.removeFirst();
    }
  }

  /// Returns the status of a worker's parameter server or witness, if it is one.
  public static Optional<ServerStatus> statusOf(Rpc rpc) {
    return Optional.ofNullable(rpc.shared(Holder.class, Holder::new).server)
        .map(ParameterServer::status);
  }

  /// Returns what this server has.
  public ServerStatus status() {
    List<TakeOver> taken = List.copyOf(takeOvers); // before the map, so that the map reflects them
    SlotMap map = server.map();
    long primaries = map.slotsOf(self).size();
    long all = map.replicas().stream().filter(each -> each.contains(self)).count();
    long lost = map.isAssigned() ? map.replicas().stream().filter(List::isEmpty).count() : 0;
    return new ServerStatus(
        map.epoch(),
        map.servers().stream().map(Life::worker).toList(),
        (int) primaries,
        (int) (all - primaries),
        (int) lost,
        groups(server.status()),
        taken);
  }

  /// Returns the status of each group: the highest version of its parts, and the clocks of one of
  /// them, since all parts have about the same.
  private static List<Group> groups(SortedMap<Part, PartStatus> parts) {
    SortedMap<String, Group> groups = new TreeMap<>();
    parts.forEach(
        (part, status) -> {
          Group first = new Group(part.group(), status.version(), staleness(status.clocks()));
          groups.merge(part.group(), first, Group::newer);
        });
    return List.copyOf(groups.values());
  }

  private static SortedMap<String, Long> staleness(SortedMap<Life, Long> clocks) {
    long fastest = clocks.values().stream().mapToLong(Long::longValue).max().orElse(0);
    SortedMap<String, Long> behind = new TreeMap<>();
    clocks.forEach((trainer, clock) -> behind.put(trainer.name(), fastest - clock));
    return behind;
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
                  Future<SlotMap> _ = proposeUntilAgreed(new MapChange.Left(life));
                }
              }
              server.lose(worker.name());
            });
  }

  /// Proposes a change until the servers have agreed on it or on its contrary. Returns a future of
  /// the map then.
  private Future<SlotMap> proposeUntilAgreed(MapChange change) {
    Promise<SlotMap> agreed = Promise.promise();
    propose(change, agreed);
    return agreed.future();
  }

  private void propose(MapChange change, Promise<SlotMap> agreed) {
    views
        .propose(change)
        .onSuccess(agreed::complete)
        .onFailure(
            error -> {
              LOG.log(Level.WARNING, "{0}: {1}; trying again", change, error.getMessage());
              if (platform.clock().isStopped()) {
                agreed.fail(error);
              } else {
                platform.clock().after(RETRY.toNanos(), () -> propose(change, agreed));
              }
            });
  }

  /// Returns the map after the one of the given epoch, or nothing if there is none within a period.
  @Remote
  static Future<MapAnswer> nextMap(long epoch) {
    return requireHere().awaitMap(epoch);
  }

  private Future<MapAnswer> awaitMap(long epoch) {
    if (platform.clock().isStopped()) {
      return Future.failedFuture(self + " is no parameter server any more");
    }
    Promise<SlotMap> next = Promise.promise();
    followers.add(next);
    SlotMap now = views.current();
    if (now.epoch() > epoch) {
      next.tryComplete(now);
    } else {
      long period = RaftViews.period(rpc.heartbeatTimeout()).toNanos();
      platform.clock().after(period, () -> next.tryComplete(now));
    }
    return next.future()
        .map(
            _ -> {
              followers.remove(next);
              long lease = views.remainingLease(); // read before the map, which may be newer
              SlotMap map = views.current();
              return new MapAnswer(map.epoch() > epoch ? map : null, lease);
            });
  }

  /// Proposes a change for a server without a vote.
  @Remote
  static Future<SlotMap> change(MapChange change) {
    return requireHere().views.propose(change);
  }

  /// Returns whether the expected servers have joined, and each parameter has as many copies as it
  /// should have.
  public boolean isComplete() {
    SlotMap map = server.map();
    return map.isAssigned() && map.replicas().equals(map.wanted());
  }

  /// Returns whether this server led the agreement of the servers a moment ago.
  public boolean isLeader() {
    return views.isLeader();
  }

  private static @Nullable ParameterServer here() {
    return Rpc.current().shared(Holder.class, Holder::new).server;
  }

  private static SlotServer server() {
    return requireHere().server;
  }

  private static ParameterServer requireHere() {
    ParameterServer here = here();
    if (here == null) {
      throw new NotStartedException(Rpc.current().self().name());
    }
    return here;
  }

  @Remote
  static Future<JoinAnswer> join(JoinRequest request) {
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
  static Future<StateAnswer> state(StateRequest request) {
    return server().state(request);
  }

  @Remote
  static Future<TrainersAnswer> trainers(StateRequest request) {
    return server().trainers(request);
  }

  @Remote
  static Future<SlotAnswer> restore(RestoreRequest request) {
    return server().restore(request);
  }

  @Remote
  static Future<ConsistencyAnswer> changeConsistency(ConsistencyRequest request) {
    return server().change(request);
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

  /// Moves the parameters of this server to the others, while trainers continue, and leaves the
  /// servers. Blocks until it has no parameters any more, so an event loop must not call it. Nobody
  /// takes over the vote of a server that leaves, so a majority of the first servers and witnesses
  /// must stay.
  ///
  /// @throws IllegalStateException if there is no other server
  public void drain() {
    SlotMap agreed = proposeUntilAgreed(new MapChange.Leaving(self)).await();
    if (agreed.servers().contains(self) && !agreed.leaving().contains(self)) {
      throw new IllegalStateException(
          "server %s is the last one; start another server first".formatted(self));
    }
    awaitNoSlots();
    // After close, nobody reads the new map.
    server.setMap(proposeUntilAgreed(new MapChange.Left(self)).await());
    close();
  }

  private void awaitNoSlots() {
    Promise<Void> moved = Promise.promise();
    Consumer<SlotMap> check =
        map -> {
          if (map.replicas().stream().noneMatch(servers -> servers.contains(self))) {
            moved.tryComplete();
          }
        };
    views.onChange(check);
    check.accept(views.current());
    moved.future().await();
  }

  /// Leaves the servers. The parameters that have no copy elsewhere are lost, so close it only
  /// after the worker has left its world, or call [#drain]. A process that ends need not close it.
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
      Future<SlotMap> _ = proposeUntilAgreed(change);
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
