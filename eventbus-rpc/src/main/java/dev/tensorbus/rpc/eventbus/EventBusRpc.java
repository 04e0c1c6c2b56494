// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallScope;
import dev.tensorbus.rpc.LeakCheck;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.lane.Lanes;
import dev.tensorbus.rpc.membership.Host;
import dev.tensorbus.rpc.membership.Member;
import dev.tensorbus.rpc.membership.Membership;
import dev.tensorbus.rpc.pending.Clock;
import dev.tensorbus.rpc.pending.Outbound;
import dev.tensorbus.rpc.pending.PendingCalls;
import dev.tensorbus.rpc.pending.Target;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.Values;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private static final Duration NO_LIMIT = Duration.ofDays(10_000);
  private static final Duration UPKEEP = Duration.ofMillis(100);

  private final Member member;
  private final RpcOptions options;
  private final Membership membership;
  private final Clock clock;
  private final PendingCalls pending;
  private final ServedCalls served;
  private final Outlet outlet;
  private final Lanes lanes;
  private final Caller caller;
  private final Dispatcher dispatcher;
  private final Contexts contexts;
  private final GraphTransport transport;
  private final ControlCalls control = new ControlCalls(this);
  private final References references;
  private final ShutdownBarrier barrier = new ShutdownBarrier(this);
  private final Farewell farewell;
  private final Collectives collectives;
  private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();
  private final List<Consumer<WorkerInfo>> joined = new CopyOnWriteArrayList<>();
  private final List<Consumer<WorkerInfo>> lost = new CopyOnWriteArrayList<>();
  private volatile boolean hasLeft;

  private @Nullable Future<Void> world;

  private EventBusRpc(Vertx vertx, String name, RpcOptions options) {
    Host host = Host.of(vertx);
    Values values = new Values(List.of(OwnedRRef.class, UserRRef.class));
    Sender sender = new Sender(new WorkerInfo(name, options.rank()), INCARNATIONS.nextLong());
    member = new Member(sender, host.node(), options.worldSize(), values.fingerprint());
    this.options = options;
    farewell = new Farewell(this, barrier, options);
    membership = new Membership(vertx, host, member, options);
    clock = new Clock(name);
    pending = new PendingCalls(name, clock);
    served = new ServedCalls(options.maxCalls());
    references = new References(this, options.leakCheck() != LeakCheck.OFF);
    outlet = new Outlet(vertx);
    lanes = new Lanes(sender, options, new Neighbours(host, membership, outlet));
    Codec codec = new Codec(this, values, lanes);
    caller = new Caller(this, codec, outlet, clock, options.timeout());
    Service service = new Service(this, codec, outlet, served);
    transport = new GraphTransport(this, outlet);
    contexts = new Contexts(this, transport);
    shared.put(Contexts.class, contexts);
    dispatcher = new Dispatcher(vertx, sender.address(), service, served, caller, contexts, lanes);
    collectives = new Collectives(this, options.isDynamic(), membership::life, membership::isGone);
    shared.put(Collectives.class, collectives);
    membership.onArrival(this::arrived);
    membership.onDeparture(this::departed);
    clock.every(UPKEEP, this::upkeep);
  }

  /// What must happen now and then, whether anything is heard or not.
  private void upkeep() {
    served.cancelOverdue();
    references.settleDepartures();
    contexts.upkeep();
    transport.sendReleases();
    lanes.tidy();
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
            rpc.introduce();
            return rpc;
          } catch (RuntimeException e) {
            rpc.disconnect().await();
            throw e;
          }
        });
  }

  /// Tells the others that this worker is there; done when all have heard.
  private void introduce() {
    Call<Void> welcome = Call.of((V1<String>) EventBusRpc::welcome, member.encode());
    List<Future<Void>> greetings =
        membership.members().stream()
            .filter(other -> !other.equals(member))
            .map(other -> control.send(other.sender(), welcome))
            .map(Future::otherwiseEmpty) // it has left meanwhile
            .toList();
    Future.join(greetings).await();
  }

  /// Takes it that the caller has joined.
  @Remote
  static void welcome(String member) {
    CallContext.current().rpc().membership.see(Member.decode(member));
  }

  /// Calls that are repeated until they are answered.
  ControlCalls control() {
    return control;
  }

  Member member() {
    return member;
  }

  /// How long a call may take unless it says otherwise.
  Duration timeout() {
    return options.timeout();
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

  Farewell farewell() {
    return farewell;
  }

  ShutdownBarrier shutdownBarrier() {
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
  public WorkerInfo worker(int rank) {
    return membership.requireRank(rank).info();
  }

  @Override
  public Future<WorkerInfo> awaitWorker(String name, Duration limit) {
    return VirtualThreads.call(
        "tensorbus-await-" + name, () -> membership.await(name, limit).info());
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

  @Override
  public void onWorkerJoined(Consumer<WorkerInfo> listener) {
    joined.add(listener);
  }

  private void arrived(Member newcomer) {
    collectives.workerJoined(newcomer.info());
    joined.forEach(listener -> listener.accept(newcomer.info()));
  }

  private void departed(Member gone) {
    String name = gone.info().name();
    pending.failEach(call -> call.to().sender().equals(gone.sender()) ? whileWaiting(call) : null);
    served.workerLost(gone.sender());
    outlet.forget(gone.sender());
    lanes.forget(gone.sender());
    references.workerLost(gone.sender());
    contexts.workerLost(gone.info());
    barrier.workerLost(name);
    collectives.workerLost(gone.sender());
    if (farewell.misses(gone.sender())) {
      LOG.log(Level.WARNING, "{0} lost {1}, rank {2}", self(), name, gone.info().id());
      lost.forEach(listener -> listener.accept(gone.info()));
    }
  }

  private NoSuchWorkerException whileWaiting(Outbound<?> call) {
    String name = call.to().info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " left while "
            + self()
            + " waited for "
            + call.function()
            + "; the method may have run",
        true);
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
  public CallScope scope() {
    return new Scope(this);
  }

  @Override
  public <T> Future<Map<String, T>> allGather(T value) {
    return collectives.everybody().compose(names -> allGather(names, value));
  }

  @Override
  public <T> Future<Map<String, T>> allGather(Collection<String> names, T value) {
    return allGather(names, value, options.timeout());
  }

  @Override
  public <T> Future<Map<String, T>> allGather(Collection<String> names, T value, Duration limit) {
    return collectives.meet("allGather", names, value, limit);
  }

  @Override
  public Future<List<@Nullable Tensor>> allReduce(
      Collection<String> names, List<@Nullable Tensor> tensors) {
    return collectives.sum(names, tensors, options.timeout());
  }

  @Override
  public Future<Void> barrier() {
    return collectives.everybody().compose(this::barrier);
  }

  @Override
  public Future<Void> barrier(Collection<String> names) {
    return barrier(names, options.timeout());
  }

  @Override
  public Future<Void> barrier(Collection<String> names, Duration limit) {
    return collectives.meet("barrier", names, true, limit).mapEmpty();
  }

  @Override
  public <R> List<R> waitAll(List<Future<R>> answers) {
    return caller.awaitAll(answers);
  }

  @Override
  public boolean cancel(Future<?> call) {
    return caller.cancel(call);
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
    Map<String, Long> info = new TreeMap<>();
    info.put("rpc.pending_calls", (long) pending.size());
    info.put("rpc.served_calls", (long) served.size());
    contexts.describe(info);
    references.describe(info);
    lanes.describe(info);
    return info;
  }

  @Override
  public Future<Void> shutdown() {
    return shutdown(NO_LIMIT);
  }

  @Override
  public Future<Void> shutdown(Duration limit) {
    return farewell.shutdown(limit);
  }

  @Override
  public Future<Void> leave() {
    return farewell.leave();
  }

  /// Ends what this worker does, without a word.
  Future<Void> disconnect() {
    return membership
        .leave()
        .eventually(dispatcher::stop)
        .onComplete(
            done -> {
              hasLeft = true;
              clock.stop(); // first: then no call comes that would not be failed
              pending.failEach(this::closed);
              served.cancelAll();
              lanes.close();
            });
  }

  /// Whether it has left, as the others know or will hear.
  boolean hasLeft() {
    return hasLeft;
  }

  private NoSuchWorkerException closed(Outbound<?> call) {
    return new NoSuchWorkerException(
        self().name(),
        self() + " has left the world; nobody takes the answer of " + call.function(),
        true);
  }

  @Override
  public String toString() {
    return "Rpc of " + self();
  }
}
