// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.LeakCheck;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.ControlCalls;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.reference.Departures.Departure;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.RefHandle;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Counts the references to each object, as PyTorch's "Remote Reference Protocol" does. A reference
/// on a worker other than the owner is a *fork*; the owner knows all forks. A worker that passes a
/// reference on keeps its own fork, the parent, until the receiver has confirmed the new fork, the
/// child. docs/references.md explains the guarantees. Messages are idempotent: handling one twice
/// has no further effect.
public final class References {
  /// The classes that implement references.
  public static final List<Class<?>> TYPES = List.of(OwnedRRef.class, UserRRef.class);

  private final Sender self;
  private final CallSender calls;
  private final ControlCalls control;
  private final Membership membership;
  private final Duration timeout;
  private final boolean keepsSites;
  private final NanoClock clock;
  private final AtomicLong counter = new AtomicLong();
  private final Owners<OwnedRRef<?>> owners;
  private final Departures departures;
  private final HeldForks held = new HeldForks();
  private final ForkNotices notices;

  /// Creates an empty set of references.
  ///
  /// @param options supplies the timeout for fetching an object, and determines whether to record
  ///     where references are created
  public References(
      Sender self, CallSender calls, Membership membership, RpcOptions options, NanoClock clock) {
    this.self = self;
    this.calls = calls;
    this.control = new ControlCalls(calls);
    this.membership = membership;
    this.timeout = options.timeout();
    this.keepsSites = options.leakCheck() != LeakCheck.OFF;
    this.clock = clock;
    this.departures = new Departures(clock);
    this.owners = new Owners<>(id -> new OwnedRRef<>(this, id), this::isMine, membership::isGone);
    this.notices = new ForkNotices(control);
  }

  /// Returns the worker that the references belong to.
  public Sender self() {
    return self;
  }

  /// Returns the sender of calls on references.
  CallSender calls() {
    return calls;
  }

  /// Returns the default timeout for fetching an object.
  Duration timeout() {
    return timeout;
  }

  NanoClock clock() {
    return clock;
  }

  private GlobalId newId() {
    return new GlobalId(self.info().id(), (int) self.incarnation(), counter.incrementAndGet());
  }

  /// Returns whether this incarnation of this worker created a name.
  private boolean isMine(GlobalId name) {
    return isBy(self, name);
  }

  private static boolean isBy(Sender worker, GlobalId name) {
    return name.worker() == worker.info().id() && name.life() == (int) worker.incarnation();
  }

  /// Sends a call whose result stays on the callee, and returns a reference to the result.
  public <R> RRef<R> create(Target target, Call<R> call) {
    ForkId names = new ForkId(newId(), newId());
    if (target.worker().equals(self.info().name())) {
      return createHere(target, call, names);
    }
    Sender owner = membership.requireMember(target.worker()).sender();
    return used(names, owner, calls.sendToKeep(target.keeping(names), call));
  }

  @SuppressWarnings("unchecked") // the call's result determines the type
  private <R> RRef<R> createHere(Target target, Call<R> call, ForkId names) {
    Future<Void> made = calls.sendToKeep(target.keeping(names), call);
    OwnedRRef<Object> place = create(names, self);
    made.onFailure(place.value()::tryFail).onComplete(done -> drop(names, self));
    return (RRef<R>) place;
  }

  /// Creates a reference to a value of this worker. No other worker refers to the value yet.
  public <T> RRef<T> own(T value) {
    OwnedRRef<T> reference = new OwnedRRef<>(this, newId());
    reference.value().complete(value);
    return reference;
  }

  /// Creates a fork that is held by a call which this worker makes with `reference`. The fork keeps
  /// the reference in the table until [#drop].
  ForkId hold(OwnedRRef<?> reference) {
    ForkId fork = new ForkId(reference.id(), newId());
    share(reference, fork, self);
    return fork;
  }

  private void share(OwnedRRef<?> reference, ForkId fork, Sender holder) {
    owners.share(fork, reference, reference.value().future().isComplete(), holder);
  }

  /// Creates the entry for the result of a call that `holder` sent.
  ///
  /// @throws IllegalArgumentException if `holder` has already given the reference up, or did not
  ///     create its name
  @SuppressWarnings("unchecked") // the call's result determines the type
  OwnedRRef<Object> create(ForkId names, Sender holder) {
    if (!isBy(holder, names.id())) {
      throw new IllegalArgumentException(
          "%s names the result of its call %s, which it did not create"
              .formatted(holder.info(), names.id()));
    }
    return (OwnedRRef<Object>) owners.create(names, holder);
  }

  /// Returns a reference to an object of another worker, and records its fork as held.
  <T> UserRRef<T> used(ForkId names, Sender owner, Future<Void> created) {
    Throwable site = keepsSites ? new Throwable("a reference was created here") : null;
    HeldFork fork = new HeldFork(names, owner, site, this::release);
    held.add(fork);
    return new UserRRef<>(this, fork, created);
  }

  /// Creates a fork of a reference, to be sent to a worker. A fork sent to the owner is never
  /// registered there; it keeps this worker's own fork in use until the message has arrived.
  ///
  /// @param made receives the id of the new fork
  RefHandle fork(RRef<?> reference, Sender to, Consumer<GlobalId> made) {
    GlobalId fork = newId();
    RefHandle handle =
        switch (reference) {
          case OwnedRRef<?> mine -> {
            share(mine, new ForkId(mine.id(), fork), to);
            departures.add(fork, mine.id(), to, null);
            yield new RefHandle(mine.id(), fork, self);
          }
          case UserRRef<?> user -> {
            HeldFork parent = user.passOn();
            departures.add(fork, parent.id(), to, parent);
            yield new RefHandle(parent.id(), fork, parent.owner());
          }
          default ->
              throw new IllegalArgumentException(
                  "a reference of "
                      + reference.getClass()
                      + " cannot be sent; create it with rpc.rref");
        };
    made.accept(fork);
    return handle;
  }

  /// Takes back the forks of a message that was never sent.
  void recall(List<GlobalId> forks) {
    forks.forEach(this::recall);
  }

  private void recall(GlobalId fork) {
    Departure departure = departures.remove(fork);
    if (departure != null && departure.parent() == null) {
      owners.drop(new ForkId(departure.id(), fork), departure.child());
    }
  }

  /// Records that these forks arrive within the given number of nanoseconds or never.
  void arriveIn(long nanos, List<GlobalId> forks) {
    departures.overIn(nanos, forks);
  }

  /// Queries the receivers of forks that should have been confirmed by now, since the messages may
  /// have been lost.
  public void settleDepartures() {
    departures.takeDue().forEach(this::askAfter);
  }

  private void askAfter(Sender child, List<GlobalId> forks) {
    Call<List<GlobalId>> question =
        Call.of((F1<List<GlobalId>, List<GlobalId>>) References::missing, List.copyOf(forks));
    control
        .send(child, question)
        .onSuccess(missing -> missing.forEach(this::recall))
        .onFailure(childIsGone -> forks.forEach(this::recall))
        .onSuccess(missing -> forks.forEach(departures::remove));
  }

  /// Returns the forks among `forks` that the caller created and that have not arrived here. They
  /// will be rejected if they arrive later.
  @Remote(execution = Execution.EVENT_LOOP)
  static List<GlobalId> missing(List<GlobalId> forks) {
    Sender maker = CallContext.current().sender();
    List<GlobalId> its = forks.stream().filter(fork -> isBy(maker, fork)).toList();
    return List.copyOf(CallContext.part(References.class).held.refuseMissing(its));
  }

  /// Returns the reference for a received fork. The reference must not be used before [#confirm].
  ///
  /// @throws WireException if the sender has given the fork up
  RRef<?> adopt(RefHandle handle) {
    return handle.owner().equals(self)
        ? held.returned(handle.fork(), () -> mine(handle.id()))
        : used(new ForkId(handle.id(), handle.fork()), handle.owner(), Future.succeededFuture());
  }

  private RRef<?> mine(GlobalId id) {
    try {
      return owners.place(id);
    } catch (IllegalArgumentException e) {
      throw new WireException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Registers adopted forks with their owners, and then notifies the sender, which releases the
  /// parents. Blocks until the owners have answered.
  ///
  /// @throws dev.tensorbus.rpc.RpcTimeoutException if an owner does not answer within `limit`
  void confirm(List<RefHandle> handles, Sender from, Duration limit) {
    if (handles.isEmpty()) {
      return;
    }
    Map<Sender, List<ForkId>> unknown =
        handles.stream()
            .filter(handle -> !handle.owner().equals(from) && !handle.owner().equals(self))
            .collect(
                Collectors.groupingBy(
                    RefHandle::owner,
                    Collectors.mapping(
                        handle -> new ForkId(handle.id(), handle.fork()), Collectors.toList())));
    List<Future<Void>> entered =
        unknown.entrySet().stream()
            .map(one -> control.send(one.getKey(), addForksCall(one.getValue())))
            .toList();
    String late = "the owners of received references did not register them within " + limit;
    VirtualThreads.await(Future.all(entered), limit, () -> late);
    taken(handles, from);
  }

  private void taken(List<RefHandle> handles, Sender from) {
    List<GlobalId> forks = handles.stream().map(RefHandle::fork).toList();
    if (from.equals(self)) {
      // Sent to itself: releases the parents, or drops the forks if this worker is the owner.
      forks.forEach(this::recall);
    } else {
      notices.taken(from, forks);
    }
  }

  private static Call<Void> addForksCall(List<ForkId> forks) {
    return Call.of((V1<List<ForkId>>) References::addForks, forks);
  }

  /// Registers forks that the caller has received, before the caller uses them (G1).
  @Remote(execution = Execution.EVENT_LOOP)
  static void addForks(List<ForkId> forks) {
    Sender holder = CallContext.current().sender();
    Owners<OwnedRRef<?>> owners = CallContext.part(References.class).owners;
    forks.forEach(fork -> owners.addFork(fork, holder));
  }

  /// Releases the parents of forks that have arrived at the caller (G2), and drops forks that the
  /// caller has given up (G3).
  @Remote(execution = Execution.EVENT_LOOP)
  static void settle(List<GlobalId> taken, List<ForkId> released) {
    References mine = CallContext.part(References.class);
    Sender holder = CallContext.current().sender();
    taken.forEach(fork -> mine.departures.taken(fork, holder));
    released.forEach(fork -> mine.drop(fork, holder));
  }

  /// Returns the object. The answer carries a copy of it. Blocks until the object exists.
  @Remote
  static Object fetch(GlobalId id) {
    return CallContext.part(References.class).awaitObject(id);
  }

  static Call<Object> fetchCall(GlobalId id) {
    return Call.of((F1<GlobalId, Object>) References::fetch, id);
  }

  /// Returns whether the object with this name exists.
  boolean isMade(GlobalId id) {
    OwnedRRef<?> reference = owners.find(id);
    return reference != null && reference.value().future().succeeded();
  }

  /// Returns the object with this name. Blocks until the object exists.
  Object awaitObject(GlobalId id) {
    Future<?> object = owners.awaitAt(id).value().future();
    try {
      return object.succeeded() ? object.result() : VirtualThreads.await(object);
    } finally {
      owners.leave(id); // also removes the entry if the object was never created and has no forks
    }
  }

  /// Drops a fork of one of this worker's objects, if `holder` holds the fork. The object is
  /// dropped with its last fork.
  public void drop(ForkId fork, Sender holder) {
    owners.drop(fork, holder);
  }

  /// Gives up a fork that this worker holds.
  private void release(HeldFork fork) {
    held.remove(fork);
    if (!membership.isGone(fork.owner())) {
      notices.released(fork.owner(), fork.names());
    }
  }

  /// Drops the forks that a departed worker held, and the forks of its objects.
  public void workerLost(Sender worker) {
    departures.workerLost(worker);
    owners.workerLost(worker);
    held.workerLost(worker);
  }

  /// Returns the forks that this worker holds.
  public HeldForks held() {
    return held;
  }

  /// Adds counts to [dev.tensorbus.rpc.Rpc#debugInfo].
  public void describe(Map<String, Long> info) {
    info.put("rref.owned", (long) owners.size());
    info.put("rref.forks", (long) owners.forks());
    info.put("rref.held", (long) held.size());
    info.put("rref.unconfirmed", (long) departures.size());
  }
}
