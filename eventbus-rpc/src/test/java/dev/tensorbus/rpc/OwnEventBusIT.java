// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that sets up the event bus itself: its port, TLS and three event loops.
final class OwnEventBusIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String PASSWORD = "password";

  @Remote
  static int twice(int number) {
    return 2 * number;
  }

  @Test
  void workersCallOneAnotherByTheEventBusThatTheirApplicationSetUp(@TempDir Path folder)
      throws IOException, InterruptedException {
    PfxOptions key = certificate(folder.resolve("key.p12"));
    int master = FreePort.find();
    List<Vertx> all = new ArrayList<>();
    List<Rpc> workers = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int port = FreePort.find();
      EventBusOptions bus = new EventBusOptions().setPort(port).setSsl(true).setKeyCertOptions(key);
      Cluster cluster = new Cluster("127.0.0.1", master, rank == 0, PATIENCE);
      cluster.requireMeetingPoint();
      Vertx vertx =
          cluster
              .builder(new VertxOptions().setEventLoopPoolSize(3).setEventBusOptions(bus))
              .buildClustered()
              .await();
      all.add(vertx);
      RpcOptions options =
          RpcOptions.worldSize(2)
              .withRank(rank)
              .withTimeout(PATIENCE)
              .withRendezvousTimeout(PATIENCE);
      workers.add(Rpc.open(vertx, "worker" + rank, options).await());
      VertxInternal inside = (VertxInternal) vertx;
      assertThat(inside.clusterManager().getNodeInfo().port()).isEqualTo(port);
      assertThat(inside.nettyEventLoopGroup()).hasSize(3);
    }
    Future.all(workers.stream().map(Rpc::ready).toList()).await();
    int four = workers.getFirst().rpcSync("worker1", OwnEventBusIT::twice, 2);
    assertThat(four).isEqualTo(4);
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
    all.reversed().forEach(vertx -> vertx.close().await());
  }

  private static PfxOptions certificate(Path store) throws IOException, InterruptedException {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command = new ArrayList<>(List.of(keytool.toString(), "-genkeypair"));
    command.addAll(List.of("-keyalg", "EC", "-alias", "worker", "-dname", "CN=localhost"));
    command.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1", "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", PASSWORD, "-keystore", store.toString()));
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    return new PfxOptions().setPath(store.toString()).setPassword(PASSWORD);
  }
}
