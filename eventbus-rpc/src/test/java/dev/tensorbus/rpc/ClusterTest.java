// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ClusterTest {
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"},
      disabledReason = "the library of Netty's epoll is there for Linux only")
  void connectionsAreAwaitedByNettysEpollOnLinux() {
    Cluster cluster = new Cluster("127.0.0.1", 29_500, true, Duration.ofSeconds(1));
    Vertx vertx = Vertx.builder().with(cluster.configure(new VertxOptions())).build();
    assertThat(vertx.isNativeTransportEnabled()).isTrue();
    vertx.close().await();
  }
}
