// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import java.time.Duration;

/// Creates the part of Hazelcast's configuration that is the same for every member: little logging,
/// low overhead, and quick failure detection.
public final class MemberConfig {
  /// The interval of Hazelcast's checks for silent members.
  public static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// The interval of the attempts to reach a member whose connection has broken.
  private static final Duration RECONNECT = Duration.ofMillis(30);

  /// The member attribute in which vertx-hazelcast publishes a node's id.
  public static final String NODE_ID = "__vertx.nodeId";

  /// Effectively never: the maximum number of seconds that Hazelcast accepts.
  private static final String NEVER = Integer.toString(Integer.MAX_VALUE);

  /// The number of parts into which Hazelcast divides the shared maps: a prime, as it recommends.
  /// All members of a world must have the same.
  public static final int PARTITIONS = 11;

  /// Hazelcast's default timeout for an operation. The actual maximum wait is twice as long.
  private static final Duration OPERATION = Duration.ofSeconds(60);

  /// The system property with which an application sets Vert.x's Hazelcast configuration file.
  private static final String FILE_PROPERTY = "vertx.hazelcast.config";

  private static final String FILE = "cluster.xml";

  private MemberConfig() {}

  /// Creates a configuration.
  ///
  /// @param heartbeatTimeout how long a member may be silent
  public static Config of(Duration heartbeatTimeout) {
    QuietNetty.install();
    Config config = hasFile() ? ConfigUtil.loadConfig() : new Config();
    QuietLogs.install(config);
    MonotonicClock.install();
    config.setClusterName("tensorbus");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.heartbeat.interval.seconds", seconds(HEARTBEAT));
    // Nobody reads the metrics, and an idle worker would keep computing them.
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.slow.operation.detector.enabled", "false");
    config.setProperty("hazelcast.health.monitoring.level", "OFF");
    // A silent worker may have sent its last heartbeat up to an interval earlier. Workers with
    // calls to or from it notice within the timeout, all others at the first check after the
    // timeout.
    config.setProperty("hazelcast.max.no.heartbeat.seconds", seconds(heartbeatTimeout));
    // Hazelcast removes a killed member when its connection has broken and then could not be opened
    // three times; the default interval of these attempts is 100 ms.
    config.setProperty("hazelcast.connection.monitor.interval", millis(RECONNECT));
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "5");
    config.setProperty("hazelcast.socket.bind.any", "false");
    // The shared maps are small, but after each death and join Hazelcast copies partition by
    // partition. With its default of 271, a death kept nine members busy for several seconds.
    config.setProperty("hazelcast.partition.count", Integer.toString(PARTITIONS));
    // Makes operations on a disconnected member fail earlier than after the default of two minutes.
    config.setProperty(
        "hazelcast.operation.call.timeout.millis", millis(shorter(heartbeatTimeout)));
    // With two backups, no registration is lost when two workers die at once.
    config.getMultiMapConfig("__vertx.subs").setBackupCount(2);
    config.getMapConfig("*").setBackupCount(2);
    config.getSerializationConfig().setJavaSerializationFilterConfig(JavaSerialization.filter());
    NamedClasses classes = new NamedClasses(applicationClasses());
    config.setClassLoader(classes).addListenerConfig(new ListenerConfig(classes));
    // The parts of a partitioned world disagree on which workers have died, so they are never
    // merged.
    config.setProperty("hazelcast.merge.first.run.delay.seconds", NEVER);
    config.setProperty("hazelcast.merge.next.run.delay.seconds", NEVER);
    return config;
  }

  /// Returns whether the application provides a configuration file. If it does not, Vert.x's
  /// default file is not loaded either: it changes almost nothing, but validating it against
  /// Hazelcast's schema takes half a second at every start.
  private static boolean hasFile() {
    return System.getProperty(FILE_PROPERTY) != null
        || applicationClasses().getResource(FILE) != null
        || ConfigUtil.class.getClassLoader().getResource(FILE) != null;
  }

  private static ClassLoader applicationClasses() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader == null ? MemberConfig.class.getClassLoader() : loader;
  }

  private static Duration shorter(Duration heartbeatTimeout) {
    return heartbeatTimeout.compareTo(OPERATION) < 0 ? heartbeatTimeout : OPERATION;
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }
}
