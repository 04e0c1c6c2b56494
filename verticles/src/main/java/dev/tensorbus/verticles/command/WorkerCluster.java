// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;

/// The Vert.x of a worker, in the cluster that its world meets in.
final class WorkerCluster {
  private WorkerCluster() {}

  static VertxBuilder builder(VertxOptions vertxOptions, Role role, WorkerOptions options) {
    Config config = ConfigUtil.loadConfig();
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.logging.type", "jdk");
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(role == Role.PARAMETER_SERVER ? options.masterPort() : 0);
    network.setPortAutoIncrement(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember(options.masterAddr() + ":" + options.masterPort());
    return Vertx.builder()
        .with(vertxOptions)
        .withClusterManager(new HazelcastClusterManager(config));
  }
}
