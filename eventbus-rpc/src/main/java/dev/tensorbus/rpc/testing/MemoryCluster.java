// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A cluster whose nodes are Vertx instances of one JVM: it starts in milliseconds, and its nodes
/// can be killed. Messages between nodes go over sockets, as in every cluster; only the knowledge
/// of who is there is shared in memory. Objects in the maps of the cluster are not copied.
///
/// May be used on any thread.
public final class MemoryCluster {
  private final Map<String, MemoryNode> nodes = new LinkedHashMap<>();
  private final Map<String, List<RegistrationInfo>> registrations = new LinkedHashMap<>();
  private final Map<String, Map<Object, Object>> maps = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();

  /// An empty cluster.
  public MemoryCluster() {}

  /// Starts one more node. Blocks.
  public Vertx start() {
    return start(new VertxOptions());
  }

  /// Starts one more node with these options. Blocks.
  public Vertx start(VertxOptions options) {
    return Vertx.builder().with(options).withClusterManager(manager()).buildClustered().await();
  }

  /// The manager that makes one Vertx a node of this cluster, for those who build it themselves.
  public ClusterManager manager() {
    return new MemoryNode(this);
  }

  /// Ends a node without a goodbye: the others are told at once that it left, then its sockets
  /// close. Threads that run on it go on and reach nobody.
  ///
  /// @return done when its sockets are closed
  /// @throws IllegalArgumentException if it is not a node of this cluster, or not any more
  public Future<Void> kill(Vertx vertx) {
    ClusterManager node = ((VertxInternal) vertx).clusterManager();
    if (!(node instanceof MemoryNode mine) || !remove(mine)) {
      throw new IllegalArgumentException(
          "this Vertx is not a node of the cluster; give one that start() returned and that still"
              + " lives");
    }
    return vertx.close();
  }

  synchronized void add(MemoryNode node) {
    nodes.values().forEach(other -> other.tellAdded(node.getNodeId()));
    nodes.put(node.getNodeId(), node);
  }

  /// Takes a node out; whether it was in.
  synchronized boolean remove(MemoryNode node) {
    if (!nodes.remove(node.getNodeId(), node)) {
      return false;
    }
    for (String address : List.copyOf(registrations.keySet())) {
      removeRegistrations(address, node);
    }
    nodes.values().forEach(other -> other.tellLeft(node.getNodeId()));
    node.releaseLocks();
    return true;
  }

  private void removeRegistrations(String address, MemoryNode node) {
    for (RegistrationInfo one : registrations(address)) {
      if (one.nodeId().equals(node.getNodeId())) {
        unregister(address, one);
      }
    }
  }

  synchronized @Nullable MemoryNode node(String id) {
    return nodes.get(id);
  }

  synchronized List<String> nodeIds() {
    return List.copyOf(nodes.keySet());
  }

  synchronized List<RegistrationInfo> registrations(String address) {
    return List.copyOf(registrations.getOrDefault(address, List.of()));
  }

  synchronized void register(String address, RegistrationInfo one) {
    registrations.computeIfAbsent(address, key -> new ArrayList<>()).add(one);
    tellRegistrations(address);
  }

  synchronized void unregister(String address, RegistrationInfo one) {
    List<RegistrationInfo> left = new ArrayList<>(registrations(address));
    if (left.remove(one)) {
      if (left.isEmpty()) {
        registrations.remove(address);
      } else {
        registrations.put(address, left);
      }
      tellRegistrations(address);
    }
  }

  private void tellRegistrations(String address) {
    List<RegistrationInfo> now = registrations(address);
    nodes.values().forEach(node -> node.tellRegistrations(address, now));
  }

  Map<Object, Object> map(String name) {
    return maps.computeIfAbsent(name, key -> new ConcurrentHashMap<>());
  }

  AtomicLong counter(String name) {
    return counters.computeIfAbsent(name, key -> new AtomicLong());
  }

  Semaphore lock(String name) {
    return locks.computeIfAbsent(name, key -> new Semaphore(1, true));
  }
}
