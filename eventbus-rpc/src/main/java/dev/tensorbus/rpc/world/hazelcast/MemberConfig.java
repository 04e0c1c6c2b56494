// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import java.time.Duration;

/// The part of Hazelcast's configuration that is the same for every member: quiet, frugal, and soon
/// aware of who is gone.
public final class MemberConfig {
  /// Hazelcast looks for silent members this often.
  public static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// The attribute by which vertx-hazelcast names a node to the other members.
  public static final String NODE_ID = "__vertx.nodeId";

  /// Seconds, as many as Hazelcast takes.
  private static final String NEVER = Integer.toString(Integer.MAX_VALUE);

  /// Hazelcast's own limit, for half of the time that it waits in the end.
  private static final Duration OPERATION = Duration.ofSeconds(60);

  /// How an application gives Vert.x a configuration of Hazelcast.
  private static final String FILE_PROPERTY = "vertx.hazelcast.config";

  private static final String FILE = "cluster.xml";

  private MemberConfig() {}

  /// A new one.
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
    // Nobody reads these, and an idle worker would compute them all the time.
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.slow.operation.detector.enabled", "false");
    config.setProperty("hazelcast.health.monitoring.level", "OFF");
    // A worker that falls silent may have done so a heartbeat before. A worker that has calls with
    // it notices within the time-out; all others at the next look after it.
    config.setProperty("hazelcast.max.no.heartbeat.seconds", seconds(heartbeatTimeout));
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "5");
    config.setProperty("hazelcast.socket.bind.any", "false");
    // What a member that is cut off holds is given up with it. By default that takes two minutes.
    config.setProperty(
        "hazelcast.operation.call.timeout.millis", millis(shorter(heartbeatTimeout)));
    // Two workers may die at once without the register losing an entry.
    config.getMultiMapConfig("__vertx.subs").setBackupCount(2);
    config.getMapConfig("*").setBackupCount(2);
    config.getSerializationConfig().setJavaSerializationFilterConfig(JavaSerialization.filter());
    NamedClasses classes = new NamedClasses(applicationClasses());
    config.setClassLoader(classes).addListenerConfig(new ListenerConfig(classes));
    // Worlds that have gone apart are not of one mind about who has died: they are never merged.
    config.setProperty("hazelcast.merge.first.run.delay.seconds", NEVER);
    config.setProperty("hazelcast.merge.next.run.delay.seconds", NEVER);
    return config;
  }

  /// Whether the application gives one. Vert.x reads its own file else, which changes next to
  /// nothing, and takes half a second of every start to check it against Hazelcast's schema.
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
