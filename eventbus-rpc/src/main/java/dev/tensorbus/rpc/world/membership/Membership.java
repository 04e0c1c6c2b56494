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

/// The workers that are in the world. A newcomer that finds its place in the [Register] taken by a
/// living worker is refused. A worker is gone when its node leaves the cluster, or when it says so
/// itself.
public final class Membership {
  private static final System.Logger LOG = System.getLogger(Membership.class.getName());
  private static final Duration POLL = Duration.ofMillis(10);

  /// Newcomers introduce themselves; the register is read again in case one could not be heard.
  private static final int POLLS_PER_READING = 20;

  private final ClusterNode host;
  private final Member self;
  private final RpcOptions options;
  private final Platform platform;
  private final Register register;
  private final Differences differences;
  private final Map<String, Member> members = new ConcurrentHashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  private final Listeners<Member> arrived = new Listeners<>();
  private final Listeners<Member> refused = new Listeners<>();
  private final Listeners<ClusterNode.NodeLeft> ownNodeLeft = new Listeners<>();
  private final Listeners<List<Departure>> departing = new Listeners<>();
  private final Listeners<Departure> departed = new Listeners<>();

  /// How those went that may still be in the register, by name.
  private final Map<String, DepartureCause> quarantined = new ConcurrentHashMap<>();

  /// The workers that came and are gone, by rank, until they are replaced.
  private final Map<Integer, Departure> lost = new ConcurrentSkipListMap<>();

  private final Consumer<ClusterNode.NodeLeft> nodeLeft = this::nodeLeft;

  private @Nullable Future<Void> world;

  /// Why the world goes on without this worker, or null while it does not.
  private volatile @Nullable String eviction;

  /// Whether every rank was taken once. A worker may have been lost since, before anybody asked.
  private volatile boolean wasComplete;

  /// The world of a worker that has yet to join it.
  public Membership(
      Vertx vertx, ClusterNode host, Member self, RpcOptions options, Platform platform) {
    this.host = host;
    this.self = self;
    this.options = options;
    this.platform = platform;
    register = new Register(vertx, host, options.heartbeatTimeout());
    differences = new Differences(self);
  }

  /// Takes this worker's place in the register, and learns who is there. Blocks.
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
    refresh().otherwiseEmpty().await(); // who differs from rank 0 is told when it is ready
  }

  private void claim(String key, String what) {
    for (; ; ) {
      Object holder = register.putIfAbsent(key, self);
      if (holder == null) {
        return;
      }
      Member other = Member.read(holder);
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

  /// This worker.
  public Member self() {
    return self;
  }

  /// Done when every rank is taken; fails as [#awaitWorld] does.
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
  /// @throws RendezvousException if one stays free too long, or two workers were started
  ///     differently
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

  /// Waits for the register until then, but no longer.
  ///
  /// @throws RendezvousException if this world was founded beside another
  private void readRegister(Deadline end) {
    String other = host.otherWorld();
    if (other != null) {
      throw new RendezvousException(
          "this rank 0 founded a world though one lives: "
              + other
              + "; the two are never joined: stop this one, then start rank 0 again",
          null);
    }
    try {
      refresh().await(end.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "the register of the world does not answer in time");
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
        + " workers came within "
        + options.rendezvousTimeout().toSeconds()
        + " s ("
        + names()
        + ")"
        + losses()
        + "; start the missing ranks: "
        + absent
        + differences.text();
  }

  /// The part of a message about the workers that came and are gone.
  private String losses() {
    String silence =
        " for "
            + options.heartbeatTimeout().toSeconds()
            + " s (give busy machines a longer --heartbeat-timeout)";
    return lost.values().stream()
        .map(
            departure ->
                "; "
                    + departure.member().info().name()
                    + " came and "
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

  /// Takes it that a worker is there, if it is of this world and lives.
  ///
  /// @return done when calls reach it
  /// @throws RendezvousException if it is rank 0 and of another world. Rank 0 is right: a worker
  ///     that differs from it goes, and nobody else is disturbed
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

  /// Two lives of one name: whoever has the name in the register lives. The goodbye of the other
  /// was lost.
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

  /// All that are known, by rank.
  public List<Member> members() {
    return members.values().stream()
        .sorted(Comparator.comparingInt(member -> member.info().id()))
        .toList();
  }

  /// Their names and ranks.
  public List<WorkerInfo> workers() {
    return members().stream().map(Member::info).toList();
  }

  private String names() {
    return members().stream().map(member -> member.info().name()).collect(Collectors.joining(", "));
  }

  /// The worker of this name, or null if it is not known.
  public @Nullable Member member(String name) {
    return members.get(name);
  }

  /// The present life of the worker of this name, or null if it is not known.
  public @Nullable Sender life(String name) {
    Member member = members.get(name);
    return member == null ? null : member.sender();
  }

  /// The worker of this name.
  ///
  /// @throws NoSuchWorkerException if it is not known
  public Member requireMember(String name) {
    requireWorld();
    Member member = members.get(name);
    if (member == null) {
      throw unknown(name);
    }
    return member;
  }

  /// The worker of this name, looked up in the register if it is not known.
  public Future<Member> find(String name) {
    return register
        .named(name)
        .otherwiseEmpty() // then it is not known
        .map(
            found -> {
              if (found != null) {
                see(found);
              }
              return requireMember(name);
            });
  }

  /// Reads in the register whether this life of a worker is on this node.
  public Future<Boolean> isRegistered(Sender life, String node) {
    return register
        .named(life.info().name())
        .map(there -> there != null && there.sender().equals(life) && there.node().equals(node));
  }

  /// Looks whether a worker is still in the register. It takes itself out when it leaves, so that
  /// it is gone if it is not, and its goodbye was lost.
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
                + "; start one of them anew";
    return new NoSuchWorkerException(
        name, problem + "; known workers: " + names() + differences.text(name), false);
  }

  /// Takes it that the world goes on without this worker. Each call of it fails from now on.
  ///
  /// @param reason the second part of the message
  void evict(String reason) {
    eviction = reason;
  }

  /// Whether the world goes on without this worker.
  public boolean isEvicted() {
    return eviction != null;
  }

  /// Checks that this worker is in its world.
  ///
  /// @throws EvictedException if it was evicted
  public void requireWorld() {
    if (isEvicted()) {
      throw evicted(false);
    }
  }

  /// The error of a call that an evicted worker made.
  public EvictedException evicted(boolean mayHaveRun) {
    return new EvictedException(
        self.info() + " was evicted from its world: " + eviction + "; start it anew", mayHaveRun);
  }

  /// The worker of this rank.
  ///
  /// @throws NoSuchWorkerException if it is not known
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

  /// Returns the worker of this name as soon as it is there. Fails with an [RpcTimeoutException] if
  /// the worker does not join in time.
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

  /// Whether this life of a worker is known to have ended.
  public boolean isGone(Sender life) {
    return gone.contains(life.address());
  }

  /// Tells of each other worker that comes, once. Must not block.
  public void onArrival(Consumer<Member> listener) {
    arrived.add(listener);
  }

  /// Notifies when the node of this worker has left the cluster unasked. Must not block.
  void onOwnNodeLeft(Consumer<ClusterNode.NodeLeft> listener) {
    ownNodeLeft.add(listener);
  }

  /// Notifies of each other worker whose cluster has removed this one. Must not block.
  void onRefusal(Consumer<Member> listener) {
    refused.add(listener);
  }

  /// Notifies of the other workers that are found gone together, before each departure is told.
  /// Must not block.
  public void onDepartures(Consumer<List<Departure>> listener) {
    departing.add(listener);
  }

  /// Tells of each other worker that is gone, once. Must not block.
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

  /// Takes it that a worker is gone for all.
  public void remove(Member member, DepartureCause cause) {
    if (depart(List.of(member), cause)) {
      register.remove(member);
    }
  }

  /// Takes it that workers are gone for this one. Others may still have them, and so has the
  /// register.
  public void quarantine(List<Member> lost, DepartureCause cause) {
    lost.forEach(member -> quarantined.put(member.info().name(), cause));
    depart(lost, cause);
  }

  /// Whether one of them was known.
  private boolean depart(List<Member> leaving, DepartureCause cause) {
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

  /// Whether it was known.
  private boolean forget(Member member) {
    gone.add(member.sender().address());
    return members.remove(member.info().name(), member);
  }

  /// Gives this worker's place up.
  public Future<Void> leave() {
    host.forget(nodeLeft);
    if (!members.remove(self.info().name(), self)) {
      return Future.succeededFuture();
    }
    return register.remove(self).mapEmpty();
  }
}
