// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.map.impl.event.EntryEventData;
import com.hazelcast.map.impl.event.MapEventData;
import com.hazelcast.map.impl.event.MapPartitionEventData;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The class loader of a Hazelcast member. Several of Hazelcast's serializers instantiate any class
/// that a value names, without checking it first. Once the member starts, this loader loads only
/// classes that other members have a reason to name; a value of any other class cannot be read.
final class NamedClasses extends ClassLoader implements LifecycleListener {
  private static final System.Logger LOG = System.getLogger(NamedClasses.class.getName());

  /// The value classes of vertx-hazelcast's maps, which contain the location of each node and the
  /// listeners at each address.
  private static final Set<String> VERTX =
      Set.of(
          "io.vertx.spi.cluster.hazelcast.impl.HazelcastNodeInfo",
          "io.vertx.spi.cluster.hazelcast.impl.HazelcastRegistrationInfo");

  /// The maximum number of rejected classes to log, so that strangers cannot fill the log.
  private static final int MOST_REPORTED = 16;

  /// The event classes of maps, which Hazelcast also loads by name.
  private static final List<Class<?>> EVENTS =
      List.of(EntryEventData.class, MapEventData.class, MapPartitionEventData.class);

  private final Set<String> allowed = new HashSet<>(VERTX);
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  NamedClasses(ClassLoader parent) {
    super(parent);
    allowed.addAll(JavaSerialization.classes());
    EVENTS.forEach(type -> allowed.add(type.getName()));
    allowed.add(Object.class.getName()); // for arrays
  }

  @Override
  public void stateChanged(LifecycleEvent event) {
    if (event.getState() == LifecycleState.STARTING) {
      isClosed = true;
    } else if (event.getState() == LifecycleState.SHUTDOWN) {
      isClosed = false; // the next member with this configuration loads Hazelcast's own classes
    }
  }

  /// @throws SecurityException if the class is not allowed; after a `ClassNotFoundException`,
  ///     Hazelcast would try other loaders
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (isClosed && !allowed.contains(name)) {
      if (refused.size() < MOST_REPORTED && refused.add(name)) {
        LOG.log(Level.WARNING, "a value in the cluster names class {0}; it was rejected", name);
      }
      throw new SecurityException("members of the cluster may not name class " + name);
    }
    return super.loadClass(name, resolve);
  }
}
