// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.EvictedException;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RendezvousException;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The workers of the world. A joining worker is refused if a live worker holds its rank or name in
/// the [Register]. A worker is gone when its node leaves the cluster, when it says goodbye, or, for
/// this worker only, when it is [quarantined][#quarantine].
public final class Membership {
  private static final System.Logger LOG = System.getLogger(Membership.class.getName());
  private static final Duration POLL = Duration.ofMillis(10);

  /// The number of polls between two readings of the register. Joining workers introduce
  /// themselves; the register is read as well, in case an introduction was lost.
  private static final int POLLS_PER_READING = 20;

  private final ClusterNode host;
  private final Member self;
  private final RpcOptions options;
  private final Platform platform;
  private final Register register;
  private final Differences differences;
  private final Map<String, Member> members = new ConcurrentHashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  /// The departures whose listeners are being notified.
  private final Set<Promise<Void>> departuresInProgress = ConcurrentHashMap.newKeySet();

  private final Listeners<Member> arrived = new Listeners<>();
  private final Listeners<Member> refused = new Listeners<>();
  private final Listeners<ClusterNode.NodeLeft> ownNodeLeft = new Listeners<>();
  private final Listeners<List<Departure>> departing = new Listeners<>();
  private final Listeners<Departure> departed = new Listeners<>();

  /// By name: the departure causes of quarantined workers, which may still be in the register.
  private final Map<String, DepartureCause> quarantined = new ConcurrentHashMap<>();

  /// By rank: the departed workers that have not been replaced.
  private final Map<Integer, Departure> lost = new ConcurrentSkipListMap<>();

  private final Consumer<ClusterNode.NodeLeft> nodeLeft = this::nodeLeft;

  private @Nullable Future<Void> world;

  /// Why the world continues without this worker, or null.
  private volatile @Nullable String eviction;

  /// Whether all ranks were taken at some time. A worker may have been lost since then.
  private volatile boolean wasComplete;

  /// Creates the membership of a worker that has yet to join.
  public Membership(
      Vertx vertx, ClusterNode host, Member self, RpcOptions options, Platform platform) {
    this.host = host;
    this.self = self;
    this.options = options;
    this.platform = platform;
    register = new Register(vertx, host, options.heartbeatTimeout());
    differences = new Differences(self);
  }

  /// Claims this worker's rank and name in the register, and reads the entries of the other
  /// workers. Blocks.
  ///
  /// @throws RendezvousException if the rank or the name is taken
  public void join() {
    register.open();
    host.onNodeLeft(nodeLeft);
    String rank = Register.rankKey(self);
    claim(rank, "rank " + self.info().id());
    try {
      claim(Register.nameKey(self), "name \"" + self.info().name() + "\"");
    } catch (RendezvousException e) {
      register.remove(rank, self.encode()).await();
      throw e;
    }
    members.put(self.info().name(), self);
    noteIfComplete();
    refresh().otherwiseEmpty().await(); // a difference from rank 0 is reported by ready()
  }

  private void claim(String key, String what) {
    for (; ; ) {
      Object holder = register.putIfAbsent(key, self);
      if (holder == null) {
        return;
      }
      Member other = Member.read(holder);
      if (other != null && other.sender().equals(self.sender())) {
        return; // Hazelcast repeats an operation whose answer it has lost
      }
      if (other != null && host.isAlive(other.node())) {
        throw new RendezvousException(
            what
                + " is not unique: worker \""
                + other.info().name()
                + "\" of rank "
                + other.info().id()
                + " has it; give each worker its own rank and name",
            null);
      }
      register.remove(key, holder).await();
    }
  }

  /// Returns this worker.
  public Member self() {
    return self;
  }

  /// Returns a future that completes when every rank is taken, or fails with an exception thrown by
  /// [#awaitWorld].
  public synchronized Future<Void> ready() {
    if (isEvicted()) {
      return Future.failedFuture(evicted(false));
    }
    if (world == null) {
      world = platform.threads().run("tensorbus-ready-" + self.info(), this::awaitWorld);
    }
    return world;
  }

  /// Waits until every rank is taken. Blocks.
  ///
  /// @throws RendezvousException if a rank stays free for too long, or this worker's settings
  ///     differ from those of rank 0
  private void awaitWorld() {
    if (!cameAbout(() -> wasComplete, options.rendezvousTimeout())) {
      throw new RendezvousException(missing(), null);
    }
    if (options.isDynamic()) {
      return;
    }
    Level level = self.info().id() == Member.MASTER ? Level.INFO : Level.DEBUG;
    LOG.log(level, "world of {0} is complete: {1}", options.worldSize(), names());
  }

  private boolean cameAbout(BooleanSupplier condition, Duration limit) {
    Deadline end = Deadline.after(limit, platform.clock());
    requireWorld();
    readRegister(end);
    for (int polls = 1; !condition.getAsBoolean(); polls++) {
      requireWorld();
      if (end.isOver()) {
        return false;
      }
      platform.clock().sleep(POLL);
      if (polls % POLLS_PER_READING == 0) {
        readRegister(end);
      }
    }
    return true;
  }

  /// Reads the register, waiting at most until the deadline.
  ///
  /// @throws RendezvousException if another world existed when this one was founded
  private void readRegister(Deadline end) {
    try {
      String other = host.otherWorld().await(end.left().toNanos(), TimeUnit.NANOSECONDS);
      if (other != null) {
        throw new RendezvousException(
            "this rank 0 founded a second world: "
                + other
                + "; the two worlds are never merged: stop this rank 0 and start it again",
            null);
      }
      refresh().await(end.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "the register of the world did not answer in time");
    }
  }

  private String missing() {
    Set<Integer> present =
        members.values().stream().map(member -> member.info().id()).collect(Collectors.toSet());
    String absent =
        IntStream.range(0, options.worldSize())
            .filter(rank -> !present.contains(rank))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return "only "
        + members.size()
        + " of "
        + options.worldSize()
        + " workers joined within "
        + options.rendezvousTimeout().toSeconds()
        + " s ("
        + names()
        + ")"
        + losses()
        + "; start the missing ranks: "
        + absent
        + differences.text();
  }

  /// Returns the part of an error message that lists the departed workers.
  private String losses() {
    String silence =
        " for "
            + options.heartbeatTimeout().toSeconds()
            + " s (increase --heartbeat-timeout on busy machines)";
    return lost.values().stream()
        .map(
            departure ->
                "; "
                    + departure.member().info().name()
                    + " joined and "
                    + switch (departure.cause()) {
                      case GOODBYE -> "left";
                      case NODE_LEFT -> "its process ended";
                      case SILENCE -> "was silent" + silence;
                      case REFUSAL -> "has removed this worker, which was silent" + silence;
                    })
        .collect(Collectors.joining());
  }

  private Future<Void> refresh() {
    return register
        .members()
        .map(
            all -> {
              all.forEach(this::see);
              return null;
            });
  }

  /// Adds a worker, if it is alive and belongs to this world. A worker with different settings does
  /// not belong to it, and is ignored unless it is rank 0.
  ///
  /// @return a future that completes when the worker can be called
  /// @throws RendezvousException if the worker is rank 0 and its settings differ from this
  ///     worker's; this worker must then leave
  public Future<?> see(Member member) {
    if (!host.isAlive(member.node()) || gone.contains(member.sender().address())) {
      return Future.succeededFuture();
    }
    String difference = differences.of(member);
    if (difference != null && member.info().id() == Member.MASTER) {
      throw new RendezvousException(difference, null);
    }
    if (difference != null) {
      LOG.log(Level.DEBUG, "not of this world: {0}", difference);
      return Future.succeededFuture();
    }
    Member before = members.putIfAbsent(member.info().name(), member);
    if (before != null && !before.sender().equals(member.sender())) {
      return replaceIfItHasLeft(before, member);
    }
    if (before == null) {
      quarantined.remove(member.info().name());
      lost.remove(member.info().id());
      LOG.log(Level.DEBUG, "{0} joined as rank {1}", member.info().name(), member.info().id());
      noteIfComplete();
      arrived.tell(member);
    }
    return Future.succeededFuture();
  }

  private void noteIfComplete() {
    if (members.size() >= options.worldSize()) {
      wasComplete = true;
    }
  }

  /// Handles two incarnations with the same name: the one in the register is alive, and the goodbye
  /// of the other was lost.
  private Future<?> replaceIfItHasLeft(Member before, Member now) {
    return register
        .named(now.info().name())
        .map(
            holder -> {
              if (holder != null && holder.sender().equals(now.sender())) {
                remove(before, DepartureCause.GOODBYE);
                see(now);
              }
              return null;
            });
  }

  /// Returns all known members, ordered by rank.
  public List<Member> members() {
    return members.values().stream()
        .sorted(Comparator.comparingInt(member -> member.info().id()))
        .toList();
  }

  /// Returns the names and ranks of all known members, ordered by rank.
  public List<WorkerInfo> workers() {
    return members().stream().map(Member::info).toList();
  }

  private String names() {
    return members().stream().map(member -> member.info().name()).collect(Collectors.joining(", "));
  }

  /// Returns the worker with this name, or null if it is not known.
  public @Nullable Member member(String name) {
    return members.get(name);
  }

  /// Returns the current incarnation of the worker with this name, or null if it is not known.
  public @Nullable Sender life(String name) {
    Member member = members.get(name);
    return member == null ? null : member.sender();
  }

  /// Returns the worker with this name.
  ///
  /// @throws NoSuchWorkerException if the worker is not known
  /// @throws EvictedException if this worker was evicted
  public Member requireMember(String name) {
    requireWorld();
    Member member = members.get(name);
    if (member == null) {
      throw unknown(name);
    }
    return member;
  }

  /// Returns the worker with this name, after looking it up in the register.
  public Future<Member> find(String name) {
    return register
        .named(name)
        .otherwiseEmpty() // treated as not registered
        .map(
            found -> {
              if (found != null) {
                see(found);
              }
              return requireMember(name);
            });
  }

  /// Reads from the register whether this incarnation of a worker runs on the given node.
  public Future<Boolean> isRegistered(Sender life, String node) {
    return register
        .named(life.info().name())
        .map(there -> there != null && there.sender().equals(life) && there.node().equals(node));
  }

  /// Removes a worker that is no longer in the register. A leaving worker removes its own entries,
  /// so a worker without entries has left, and its goodbye was lost.
  public void forgetIfGone(String name) {
    Member member = members.get(name);
    if (member != null) {
      isRegistered(member.sender(), member.node())
          .onSuccess(
              isThere -> {
                if (!isThere) {
                  remove(member, DepartureCause.GOODBYE);
                }
              });
    }
  }

  private NoSuchWorkerException unknown(String name) {
    DepartureCause cause = quarantined.get(name);
    String problem =
        cause == null
            ? "no worker \"" + name + "\""
            : "worker \""
                + name
                + "\" is lost to "
                + self.info()
                + ", since it "
                + cause.verb()
                + "; restart one of them";
    return new NoSuchWorkerException(
        name, problem + "; known workers: " + names() + differences.text(name), false);
  }

  /// Records that the world continues without this worker. All later calls of this worker fail.
  ///
  /// @param reason the reason, for the error message
  void evict(String reason) {
    eviction = reason;
  }

  /// Returns whether the world continues without this worker.
  public boolean isEvicted() {
    return eviction != null;
  }

  /// Checks that this worker still belongs to its world.
  ///
  /// @throws EvictedException if it was evicted
  public void requireWorld() {
    if (isEvicted()) {
      throw evicted(false);
    }
  }

  /// Returns the exception with which calls fail after this worker was evicted.
  public EvictedException evicted(boolean mayHaveRun) {
    return new EvictedException(
        self.info() + " was evicted from its world: " + eviction + "; restart it", mayHaveRun);
  }

  /// Returns the worker with this rank.
  ///
  /// @throws NoSuchWorkerException if the worker is not known
  /// @throws EvictedException if this worker was evicted
  public Member requireRank(int rank) {
    requireWorld();
    return members.values().stream()
        .filter(member -> member.info().id() == rank)
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchWorkerException(
                    Integer.toString(rank),
                    "no worker of rank " + rank + "; known workers: " + names(),
                    false));
  }

  /// Returns a future of the worker with this name. The future completes when the worker has
  /// joined, and fails with an [RpcTimeoutException] if the worker does not join in time.
  public Future<Member> whenJoined(String name, Duration limit) {
    return platform.threads().call("tensorbus-await-" + name, () -> await(name, limit));
  }

  private Member await(String name, Duration limit) {
    if (!cameAbout(() -> members.containsKey(name), limit)) {
      throw new RpcTimeoutException(
          "worker \""
              + name
              + "\" did not join within "
              + limit
              + "; known workers: "
              + names()
              + differences.text(name));
    }
    return requireMember(name);
  }

  /// Returns whether this incarnation of a worker is known to have ended.
  public boolean isGone(Sender life) {
    return gone.contains(life.address());
  }

  /// Adds a listener that is called once for each other worker that joins. It must not block.
  public void onArrival(Consumer<Member> listener) {
    arrived.add(listener);
  }

  /// Adds a listener that is called when this worker's node has left the cluster unexpectedly. It
  /// must not block.
  void onOwnNodeLeft(Consumer<ClusterNode.NodeLeft> listener) {
    ownNodeLeft.add(listener);
  }

  /// Adds a listener that is called for each other worker whose cluster has removed this worker. It
  /// must not block.
  void onRefusal(Consumer<Member> listener) {
    refused.add(listener);
  }

  /// Adds a listener that is called with all departures that were detected together, before the
  /// listeners for single departures. It must not block.
  public void onDepartures(Consumer<List<Departure>> listener) {
    departing.add(listener);
  }

  /// Adds a listener that is called once for each other worker that leaves or is lost. It must not
  /// block.
  public void onDeparture(Consumer<Departure> listener) {
    departed.add(listener);
  }

  private void nodeLeft(ClusterNode.NodeLeft left) {
    if (left.node().equals(self.node())) {
      ownNodeLeft.tell(left);
      return;
    }
    for (Member member : List.copyOf(members.values())) {
      if (!member.node().equals(left.node())) {
        continue;
      }
      if (left.cause() == DepartureCause.REFUSAL) {
        refused.tell(member);
      } else {
        remove(member, left.cause());
      }
    }
  }

  /// Removes a worker that is gone for all workers, from the register too.
  public void remove(Member member, DepartureCause cause) {
    if (depart(List.of(member), cause)) {
      register.remove(member);
    }
  }

  /// Removes workers that are gone only for this worker. Other workers may still know them, and
  /// they stay in the register.
  public void quarantine(List<Member> lost, DepartureCause cause) {
    lost.forEach(member -> quarantined.put(member.info().name(), cause));
    depart(lost, cause);
  }

  /// Returns a future that completes when the listeners have been notified of every worker that is
  /// no longer in [#workers].
  public Future<Void> departuresTold() {
    List<Future<Void>> told = departuresInProgress.stream().map(Promise::future).toList();
    return Future.join(told).mapEmpty();
  }

  /// Removes workers and notifies the listeners. Returns whether any of the workers was known.
  private boolean depart(List<Member> leaving, DepartureCause cause) {
    Promise<Void> told = Promise.promise();
    departuresInProgress.add(told); // before others can see that the workers are gone
    try {
      return forgetAndTell(leaving, cause);
    } finally {
      departuresInProgress.remove(told);
      told.complete();
    }
  }

  private boolean forgetAndTell(List<Member> leaving, DepartureCause cause) {
    List<Departure> departures =
        leaving.stream().filter(this::forget).map(member -> new Departure(member, cause)).toList();
    if (departures.isEmpty()) {
      return false;
    }
    departures.forEach(departure -> lost.put(departure.member().info().id(), departure));
    departing.tell(departures);
    departures.forEach(departed::tell);
    return true;
  }

  /// Removes a worker. Returns whether it was known.
  private boolean forget(Member member) {
    gone.add(member.sender().address());
    return members.remove(member.info().name(), member);
  }

  /// Removes this worker from the register.
  public Future<Void> leave() {
    host.forget(nodeLeft);
    if (!members.remove(self.info().name(), self)) {
      return Future.succeededFuture();
    }
    return register.remove(self).mapEmpty();
  }
}
