// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.NodeListener;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One node of a [MemoryCluster], as its Vertx sees it. Events are delivered in order on one event
/// loop, to the listener that was registered when they happened. Queries are answered
/// asynchronously, as in a real cluster.
final class MemoryNode implements ClusterManager {
  private static final String LOOPBACK = "127.0.0.1";

  private final MemoryCluster cluster;
  private final String id = UUID.randomUUID().toString();
  private final Set<HeldLock> held = ConcurrentHashMap.newKeySet();

  /// The unanswered queries. Guarded by itself. [#leave] waits for the answers, because Vert.x
  /// closes its event loops after a node has left, and a closed event loop rejects an answer with
  /// "event executor terminated".
  private final Set<Future<?>> asked = new HashSet<>();

  private @Nullable Vertx vertx;
  private @Nullable Context news;
  private volatile @Nullable NodeInfo info;
  private volatile @Nullable NodeListener nodeListener;
  private volatile @Nullable RegistrationListener registrationListener;

  MemoryNode(MemoryCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void init(Vertx vertx) {
    this.vertx = vertx;
    news = ((VertxInternal) vertx).createEventLoopContext();
  }

  @Override
  public void join(Completable<Void> done) {
    cluster.add(this);
    done.succeed();
  }

  @Override
  public void leave(Completable<Void> done) {
    cluster.remove(this);
    Future.join(asked()).onComplete(all -> done.succeed());
  }

  private List<Future<?>> asked() {
    synchronized (asked) {
      return List.copyOf(asked);
    }
  }

  @Override
  public boolean isActive() {
    return cluster.node(id) == this;
  }

  @Override
  public String getNodeId() {
    return id;
  }

  @Override
  public List<String> getNodes() {
    return cluster.nodeIds();
  }

  @Override
  public String clusterHost() {
    return LOOPBACK;
  }

  @Override
  public void setNodeInfo(NodeInfo nodeInfo, Completable<Void> done) {
    info = nodeInfo;
    done.succeed();
  }

  @Override
  public NodeInfo getNodeInfo() {
    return Objects.requireNonNull(info, "the event bus has not started");
  }

  @Override
  public void getNodeInfo(String nodeId, Completable<NodeInfo> given) {
    MemoryNode node = cluster.node(nodeId);
    if (node == null) {
      given.fail(new IllegalStateException("node " + nodeId + " is not in the cluster"));
    } else {
      given.succeed(node.getNodeInfo());
    }
  }

  @Override
  public void nodeListener(NodeListener listener) {
    nodeListener = listener;
  }

  @Override
  public void registrationListener(RegistrationListener listener) {
    registrationListener = listener;
  }

  void tellAdded(String node) {
    NodeListener listener = nodeListener;
    if (listener != null) {
      tell(() -> listener.nodeAdded(node));
    }
  }

  void tellLeft(String node) {
    NodeListener listener = nodeListener;
    if (listener != null) {
      tell(() -> listener.nodeLeft(node));
    }
  }

  void tellRegistrations(String address, List<RegistrationInfo> now) {
    RegistrationListener listener = registrationListener;
    if (listener != null && listener.wantsUpdatesFor(address)) {
      tell(() -> listener.registrationsUpdated(new RegistrationUpdateEvent(address, now)));
    }
  }

  private void tell(Runnable message) {
    Objects.requireNonNull(news).runOnContext(ignored -> message.run());
  }

  @Override
  public void addRegistration(String address, RegistrationInfo one, Completable<Void> done) {
    answer(
        done,
        () -> {
          cluster.register(address, one);
          return null;
        });
  }

  @Override
  public void removeRegistration(String address, RegistrationInfo one, Completable<Void> done) {
    cluster.unregister(address, one);
    done.succeed();
  }

  @Override
  public void getRegistrations(String address, Completable<List<RegistrationInfo>> given) {
    answer(given, () -> cluster.registrations(address));
  }

  @Override
  @SuppressWarnings("unchecked") // the cluster's maps accept any type
  public <K, V> void getAsyncMap(String name, Completable<AsyncMap<K, V>> given) {
    answer(given, () -> new MemoryMap<>(this, (Map<K, V>) cluster.map(name)));
  }

  @Override
  @SuppressWarnings("unchecked") // the cluster's maps accept any type
  public <K, V> Map<K, V> getSyncMap(String name) {
    return (Map<K, V>) cluster.map(name);
  }

  @Override
  public void getCounter(String name, Completable<Counter> given) {
    answer(given, () -> new MemoryCounter(this, cluster.counter(name)));
  }

  @Override
  public void getLockWithTimeout(String name, long millis, Completable<Lock> given) {
    answer(
        given,
        () -> {
          Semaphore lock = cluster.lock(name);
          if (!lock.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("lock \"" + name + "\" is taken for " + millis + " ms");
          }
          HeldLock mine = new HeldLock(lock);
          held.add(mine);
          return mine;
        });
  }

  void releaseLocks() {
    held.forEach(HeldLock::release);
  }

  /// A lock that is released once, by its holder or when its node leaves.
  private final class HeldLock implements Lock {
    private final Semaphore lock;

    private HeldLock(Semaphore lock) {
      this.lock = lock;
    }

    @Override
    public void release() {
      if (held.remove(this)) {
        lock.release();
      }
    }
  }

  private <T> void answer(Completable<T> given, Callable<T> question) {
    later(question).onComplete(given);
  }

  Vertx vertx() {
    return Objects.requireNonNull(vertx, "the node has not started");
  }

  /// Queries the cluster asynchronously. Fails if this node has left.
  <T> Future<T> later(Callable<T> question) {
    Future<T> answer;
    synchronized (asked) {
      if (!isActive()) {
        return Future.failedFuture(new IllegalStateException(gone()));
      }
      answer = vertx().executeBlocking(() -> ifActive(question), false);
      asked.add(answer);
    }
    return answer.onComplete(done -> answered(answer));
  }

  private void answered(Future<?> answer) {
    synchronized (asked) {
      asked.remove(answer);
    }
  }

  private <T> T ifActive(Callable<T> question) throws Exception {
    if (!isActive()) {
      throw new IllegalStateException(gone());
    }
    return question.call();
  }

  private String gone() {
    return "node " + id + " has left the cluster";
  }
}
