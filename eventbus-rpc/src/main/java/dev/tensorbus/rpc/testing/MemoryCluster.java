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

/// A cluster whose nodes are Vertx instances in one JVM. It starts in milliseconds, and its nodes
/// can be killed. Messages between nodes use sockets, as in any cluster; membership, maps, counters
/// and locks are shared in memory. Objects in the cluster's maps are not copied.
///
/// Thread-safe.
public final class MemoryCluster {
  private final Map<String, MemoryNode> nodes = new LinkedHashMap<>();
  private final Map<String, List<RegistrationInfo>> registrations = new LinkedHashMap<>();
  private final Map<String, Map<Object, Object>> maps = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();

  /// Creates an empty cluster.
  public MemoryCluster() {}

  /// Starts another node. Blocks.
  public Vertx start() {
    return start(new VertxOptions());
  }

  /// Starts another node with the given options. Blocks.
  public Vertx start(VertxOptions options) {
    return Vertx.builder().with(options).withClusterManager(manager()).buildClustered().await();
  }

  /// Returns a new cluster manager that makes a Vertx a node of this cluster, for applications that
  /// build the Vertx themselves.
  public ClusterManager manager() {
    return new MemoryNode(this);
  }

  /// Kills a node. The other nodes are notified immediately that it has left, and then its sockets
  /// close. Its threads keep running but can reach no other node.
  ///
  /// @return a future that completes when the node's sockets are closed
  /// @throws IllegalArgumentException if `vertx` is not, or is no longer, a node of this cluster
  public Future<Void> kill(Vertx vertx) {
    expel(vertx);
    return vertx.close();
  }

  /// Removes a node and notifies the others. Its sockets stay open.
  void expel(Vertx vertx) {
    ClusterManager node = ((VertxInternal) vertx).clusterManager();
    if (!(node instanceof MemoryNode mine) || !remove(mine)) {
      throw new IllegalArgumentException(
          "this Vertx is not a node of the cluster; pass one that start() returned and that has"
              + " not been killed");
    }
  }

  synchronized void add(MemoryNode node) {
    nodes.values().forEach(other -> other.tellAdded(node.getNodeId()));
    nodes.put(node.getNodeId(), node);
  }

  /// Removes a node. Returns whether it was a member.
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
