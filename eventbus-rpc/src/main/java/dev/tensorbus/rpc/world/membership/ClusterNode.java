// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.transport.bus.FrameCodec;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.world.hazelcast.MemberConfig;
import dev.tensorbus.rpc.world.hazelcast.MemberManager;
import dev.tensorbus.rpc.world.hazelcast.OtherWorld;
import dev.tensorbus.rpc.world.hazelcast.PeerConnections;
import dev.tensorbus.rpc.world.hazelcast.ReadableValues;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeListener;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A Vertx as a node of the cluster. All workers on it share the codec registration and the
/// listener for nodes that leave, since a Vertx can have only one of each.
public final class ClusterNode implements Shareable {
  private static final String KEY = "tensorbus";
  private static final String ALONE = "local";
  private static final String LOOPBACK = "127.0.0.1";

  private final Vertx vertx;
  private final @Nullable ClusterManager cluster;
  private final @Nullable HazelcastInstance hazelcast;
  private final Listeners<NodeLeft> nodeLeft = new Listeners<>();

  /// A node that has left the cluster, and the cause.
  record NodeLeft(String node, DepartureCause cause) {}

  private ClusterNode(VertxInternal vertx) {
    this.vertx = vertx;
    cluster = vertx.clusterManager();
    vertx.eventBus().registerCodec(new FrameCodec());
    // Rejects Java serialization, so that nobody can send objects of arbitrary classes.
    vertx.eventBus().serializableChecker(type -> false);
    vertx.eventBus().clusterSerializableChecker(type -> false);
    if (cluster instanceof HazelcastClusterManager manager) {
      hazelcast = manager.getHazelcastInstance();
      hazelcast.getCluster().addMembershipListener(new HazelcastListener(hazelcast));
      hazelcast.getLifecycleService().addLifecycleListener(event -> changed(manager, event));
    } else {
      hazelcast = null;
      if (cluster != null) {
        cluster.nodeListener(new LeaveListener());
      }
    }
  }

  /// Returns the node of this Vertx.
  public static ClusterNode of(Vertx vertx) {
    LocalMap<String, ClusterNode> map = vertx.sharedData().getLocalMap(KEY);
    return map.computeIfAbsent(KEY, key -> new ClusterNode((VertxInternal) vertx));
  }

  /// Returns the node id of this Vertx in the cluster.
  public String node() {
    return cluster == null ? ALONE : cluster.getNodeId();
  }

  /// Returns the address at which other nodes reach the event bus of this one.
  public String address() {
    return cluster == null ? LOOPBACK : cluster.getNodeInfo().host();
  }

  /// Returns the certificates with which everything that workers send to other nodes must be
  /// encrypted, or null.
  public @Nullable Certificates certificates() {
    return cluster instanceof MemberManager manager ? manager.certificates() : null;
  }

  /// Returns whether a node is in the cluster now.
  public boolean isAlive(String node) {
    return cluster == null ? node.equals(ALONE) : cluster.getNodes().contains(node);
  }

  /// Returns a future of the live world that already existed when this node founded another one, or
  /// of null if none was reported.
  Future<@Nullable String> otherWorld() {
    HazelcastInstance member = hazelcast;
    return member == null
        ? Future.succeededFuture()
        : vertx.executeBlocking(() -> OtherWorld.toldTo(member), false);
  }

  /// Returns the values of a map in the cluster, except those that cannot be read. The future fails
  /// if the cluster does not answer.
  Future<List<Object>> values(String map) {
    HazelcastInstance member = hazelcast;
    return member == null
        ? vertx.sharedData().<String, Object>getAsyncMap(map).compose(AsyncMap::values)
        : vertx.executeBlocking(() -> ReadableValues.of(member.getMap(map).values()), false);
  }

  /// Adds a listener for nodes that leave, including this node if it leaves unexpectedly. The
  /// listener runs on a thread of the cluster.
  void onNodeLeft(Consumer<NodeLeft> listener) {
    nodeLeft.add(listener);
  }

  void forget(Consumer<NodeLeft> listener) {
    nodeLeft.remove(listener);
  }

  /// Notifies the listeners if this node leaves while its workers are still in use: Hazelcast shuts
  /// down when memory runs out, or when other code in this process stops it.
  private void changed(HazelcastClusterManager manager, LifecycleEvent event) {
    if (event.getState() == LifecycleState.SHUTTING_DOWN && manager.isActive()) {
      nodeLeft.tell(new NodeLeft(node(), DepartureCause.NODE_LEFT));
    }
  }

  /// Listens to Hazelcast directly. The Vert.x cluster manager reports a death only after a
  /// clean-up that queries partitions of the dead node, which takes seconds on a busy machine.
  private final class HazelcastListener implements MembershipListener {
    private final HazelcastInstance here;
    private final PeerConnections connections;

    HazelcastListener(HazelcastInstance here) {
      this.here = here;
      connections = new PeerConnections(here);
      connections.onLost(this::connectionEnded);
    }

    /// Notices the end of a process by its port. Hazelcast removes a member after three failed
    /// attempts to reach it, and a busy member learns of the removal much later.
    private void connectionEnded(InetSocketAddress peer) {
      for (com.hazelcast.cluster.Member member : here.getCluster().getMembers()) {
        String node = member.getAttribute(MemberConfig.NODE_ID);
        if (node != null
            && member.getSocketAddress().equals(peer)
            && causeOfLoss(member) == DepartureCause.NODE_LEFT) {
          Threads.system()
              .start(
                  "tensorbus-connection-ended",
                  () -> {
                    if (PeerConnections.isRefused(peer)) {
                      nodeLeft.tell(new NodeLeft(node, DepartureCause.NODE_LEFT));
                    }
                  });
        }
      }
    }

    @Override
    public void memberAdded(MembershipEvent event) {}

    @Override
    public void memberRemoved(MembershipEvent event) {
      com.hazelcast.cluster.Member member = event.getMember();
      String node = member.getAttribute(MemberConfig.NODE_ID);
      if (node != null) { // a member without a node id never joined
        connections.afterEventsOf(
            member, () -> nodeLeft.tell(new NodeLeft(node, causeOfLoss(member))));
      }
    }

    private DepartureCause causeOfLoss(com.hazelcast.cluster.Member member) {
      if (connections.wasSilent(member)) {
        return DepartureCause.SILENCE;
      }
      return connections.hasRefused(member) ? DepartureCause.REFUSAL : DepartureCause.NODE_LEFT;
    }
  }

  private final class LeaveListener implements NodeListener {
    @Override
    public void nodeAdded(String node) {}

    @Override
    public void nodeLeft(String node) {
      nodeLeft.tell(new NodeLeft(node, DepartureCause.NODE_LEFT));
    }
  }
}
