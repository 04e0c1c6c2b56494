// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberConfigTest {
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /// A file of a later Vert.x may say more.
  @Test
  void withoutAFileItSaysWhatVertxsOwnFileSays() {
    Config vertx = ConfigUtil.loadConfig();
    assertThat(vertx.getMultiMapConfigs()).containsOnlyKeys("__vertx.subs");
    assertThat(vertx.getMapConfigs()).containsOnlyKeys("__vertx.haInfo", "__vertx.nodeInfo");
    assertThat(vertx.getProperties()).isEmpty();
    Config ours = MemberConfig.of(SILENCE);
    MultiMapConfig subscriptions = ours.getMultiMapConfig("__vertx.subs");
    assertThat(subscriptions).isEqualTo(vertx.getMultiMapConfig("__vertx.subs").setBackupCount(2));
    assertThat(ours.findMapConfig("__vertx.nodeInfo").getBackupCount()).isEqualTo(2);
  }

  @Test
  void aFileOfTheApplicationIsRead(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("cluster.xml"),
        """
        <hazelcast xmlns="http://www.hazelcast.com/schema/config">
          <instance-name>mine</instance-name>
        </hazelcast>
        """);
    Thread here = Thread.currentThread();
    ClassLoader before = here.getContextClassLoader();
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      here.setContextClassLoader(loader);
      assertThat(MemberConfig.of(SILENCE).getInstanceName()).isEqualTo("mine");
    } finally {
      here.setContextClassLoader(before);
    }
  }
}
