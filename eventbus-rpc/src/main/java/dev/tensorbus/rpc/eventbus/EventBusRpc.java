// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.eventbus.PendingCalls.Pending;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.Values;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A worker on the Vert.x event bus: puts together who is there ([Membership]), what waits
/// ([PendingCalls]), what others ask ([Dispatcher]) and who refers to what ([References]).
///
/// Messages come in on one event loop, which only sorts them; values are decoded and methods run
/// on virtual threads, or on the thread that waits for the answer.
public final class EventBusRpc implements Rpc {
  private static final System.Logger LOG = System.getLogger(EventBusRpc.class.getName());
  private static final SecureRandom INCARNATIONS = new SecureRandom();
  private static final Duration GOODBYE_TIMEOUT = Duration.ofSeconds(1);
  private static final Call<Void> GOODBYE = Call.of((V0) EventBusRpc::goodbye);

  private final Member member;
  private final Membership membership;
  private final PendingCalls pending;
  private final Outlet outlet;
  private final Caller caller;
  private final Dispatcher dispatcher;
  private final References references = new References(this);
  private final ShutdownBarrier barrier = new ShutdownBarrier(this);
  private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();
  private final List<Consumer<WorkerInfo>> lost = new CopyOnWriteArrayList<>();

  private @Nullable Future<Void> world;

  /// Whether nothing more is expected of others: whoever leaves now does what it should.
  private volatile boolean ended;

  private EventBusRpc(Vertx vertx, String name, RpcOptions options) {
    Host host = Host.of(vertx);
    Values values = new Values(List.of(OwnedRRef.class, UserRRef.class));
    Sender sender = new Sender(new WorkerInfo(name, options.rank()), INCARNATIONS.nextLong());
    member = new Member(sender, host.node(), options.worldSize(), values.fingerprint());
    membership = new Membership(vertx, host, member, options);
    pending = new PendingCalls(name);
    Codec codec = new Codec(this, values);
    outlet = new Outlet(vertx);
    caller = new Caller(this, codec, outlet, options.timeout());
    dispatcher = new Dispatcher(this, vertx, codec, outlet);
    shared.put(Contexts.class, new Contexts(this, options.timeout()));
    membership.onDeparture(this::departed);
  }

  /// See [Rpc#open].
  public static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return VirtualThreads.call(
        "tensorbus-open-" + name,
        () -> {
          EventBusRpc rpc = new EventBusRpc(vertx, name, options);
          try {
            rpc.dispatcher.start().await();
            rpc.membership.join();
            return rpc;
          } catch (RuntimeException e) {
            rpc.disconnect().await();
            throw e;
          }
        });
  }

  Member member() {
    return member;
  }

  Membership membership() {
    return membership;
  }

  Caller caller() {
    return caller;
  }

  PendingCalls pending() {
    return pending;
  }

  References references() {
    return references;
  }

  ShutdownBarrier barrier() {
    return barrier;
  }

  @Override
  public WorkerInfo self() {
    return member.info();
  }

  @Override
  public List<WorkerInfo> workers() {
    return membership.members().stream().map(Member::info).toList();
  }

  @Override
  public WorkerInfo worker(String name) {
    return membership.requireMember(name).info();
  }

  @Override
  public synchronized Future<Void> ready() {
    if (world == null) {
      world =
          VirtualThreads.call(
              "tensorbus-ready-" + self(),
              () -> {
                membership.awaitWorld();
                return null;
              });
    }
    return world;
  }

  @Override
  public void onWorkerLost(Consumer<WorkerInfo> listener) {
    lost.add(listener);
  }

  private void departed(Member gone) {
    String name = gone.info().name();
    pending.failEach(call -> call.to().sender().equals(gone.sender()) ? whileWaiting(call) : null);
    outlet.forget(gone.sender());
    references.workerLost(name);
    Contexts.of(this).workerLost(name, new NoSuchWorkerException(name, name + " left"));
    barrier.workerLost(name);
    if (!ended) {
      LOG.log(Level.WARNING, "{0} lost {1}, rank {2}", self(), name, gone.info().id());
      lost.forEach(listener -> listener.accept(gone.info()));
    }
  }

  private NoSuchWorkerException whileWaiting(Pending call) {
    String name = call.to().info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " left while "
            + self()
            + " waited for "
            + call.call().function()
            + "; the method may have run");
  }

  @Override
  public <T> T shared(Class<T> type, Supplier<T> first) {
    return type.cast(shared.computeIfAbsent(type, key -> first.get()));
  }

  @Override
  public <T> RRef<T> rref(T value) {
    return references.own(value);
  }

  @Override
  public <R> Future<R> send(String to, Call<R> call) {
    return caller.send(Target.worker(to), call);
  }

  @Override
  public <R> R call(String to, Call<R> call) {
    return caller.call(Target.worker(to), call);
  }

  @Override
  public <R> RRef<R> create(String to, Call<R> call) {
    return caller.create(Target.worker(to), call);
  }

  @Override
  public Map<String, Long> debugInfo() {
    return Map.of(
        "rpc.pending_calls", (long) pending.size(),
        "rref.owned", (long) references.size(),
        "autograd.contexts", (long) Contexts.of(this).size());
  }

  @Override
  public Future<Void> shutdown() {
    return VirtualThreads.run(
            "tensorbus-shutdown-" + self(),
            () -> {
              VirtualThreads.await(ready().otherwiseEmpty()); // or some would not be waited for
              barrier.await();
              ended = true;
            })
        .eventually(this::disconnect);
  }

  @Override
  public Future<Void> leave() {
    if (ended) {
      return disconnect();
    }
    ended = true;
    List<Future<Void>> goodbyes =
        workers().stream()
            .filter(worker -> !worker.equals(self()))
            .map(worker -> send(worker.name(), GOODBYE.withTimeout(GOODBYE_TIMEOUT)))
            .toList();
    return Future.join(goodbyes).eventually(this::disconnect).<Void>mapEmpty().otherwiseEmpty();
  }

  /// Takes it that the caller is about to leave.
  @Remote
  static void goodbye() {
    CallContext call = CallContext.current();
    Member gone = call.rpc().membership.member(call.caller().name());
    if (gone != null) {
      call.rpc().membership.remove(gone);
    }
  }

  private Future<Void> disconnect() {
    return membership
        .leave()
        .eventually(dispatcher::stop)
        .onComplete(
            done -> {
              pending.failEach(this::closed);
              pending.close();
            });
  }

  private NoSuchWorkerException closed(Pending call) {
    return new NoSuchWorkerException(
        self().name(),
        self() + " has left the world; nobody takes the answer of " + call.call().function());
  }

  @Override
  public String toString() {
    return "Rpc of " + self();
  }
}
