// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.GrpcGateway;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerObjects;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;

@WithWorkers(2)
final class ObservedWorkerTest {
  private static final int ANSWERED = 200;

  private static ObservedWorker start(MemoryWorld world, int rank, Map<String, String> variables) {
    Map<String, String> own = new HashMap<>(variables);
    own.put("RANK", Integer.toString(rank));
    own.put("LOCAL_RANK", Integer.toString(rank));
    own.put("WORLD_SIZE", "2");
    ObservedWorker worker = new ObservedWorker(own);
    worker.start(world.worker(rank)).await();
    return worker;
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + port + path);
      return client.send(
          HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void theWorkersOfAMachineHaveMetricsOnConsecutivePorts(MemoryWorld world) throws Exception {
    int port = FreePort.range(4).first();
    Map<String, String> variables = Map.of("TENSORBUS_METRICS", Integer.toString(port));
    ObservedWorker first = start(world, 0, variables);
    ObservedWorker second = start(world, 1, variables);
    world.worker(1).progress().start(10);
    world.worker(1).progress().step(32, 0.5f);
    assertThat(get(port, "/health").statusCode()).isEqualTo(ANSWERED);
    assertThat(get(port + 1, "/metrics").body()).containsPattern("tensorbus_samples_total\\S* 32");
    first.stop().await();
    second.stop().await();
  }

  @Test
  void withoutAPageAWorkerStops(MemoryWorld world) {
    ObservedWorker worker = start(world, 0, Map.of());
    world.worker(0).progress().step(1, 1);
    Future<?> stopped = worker.stop();
    stopped.await();
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void aPageDoesNotOutliveFailedWork(MemoryWorld world) {
    ObservedWorker worker = start(world, 0, Map.of("TENSORBUS_PAGE", "0"));
    worker.abort().await();
    assertThat(worker.stop().isComplete()).isFalse(); // whereas a page stays up after a success
  }

  @Test
  void anApplicationHasAWorkersMetricsInItsOwnRegistry(MemoryWorld world) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ObservedWorker.bindMetrics(world.worker(0), registry);
    world.worker(0).progress().step(32, 0.5f);
    assertThat(registry.get("tensorbus.samples").functionCounter().count()).isEqualTo(32);
    assertThat(registry.get("tensorbus.world.workers").gauge().value()).isEqualTo(2);
    assertThat(registry.get("tensorbus.rpc.pending_calls").gauge().value()).isZero();
  }

  @Test
  void aWorkerOfADynamicGroupIsShown() {
    try (MemoryWorld group = new MemoryWorld(1, it -> RpcOptions.dynamic(0))) {
      ObservedWorker worker = start(group, 0, Map.of());
      assertThat(ObservedWorker.page(group.worker(0), "/")).isNotNull();
      worker.stop().await();
    }
  }

  @Test
  void aPortForAGatewayThatTheProgramDoesNotOpenIsReported(MemoryWorld world) {
    List<String> lines = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(ObservedWorker.class.getName());
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
          }
        };
    logger.addHandler(handler);
    try {
      Map<String, String> port = Map.of("TENSORBUS_GRPC_PORT", "0");
      start(world, 0, port).stop().await();
      start(world, 1, port).stop().await();
      assertThat(lines)
          .containsExactly(
              "worker0 has opened no gateway on --grpc-port; the program opens it, with"
                  + " GatewayExtension.open on the worker that has the model");
      GrpcGateway gateway =
          GrpcGateway.open(world.worker(0), GatewayOptions.onLoopback(0), Exports.of()).await();
      WorkerObjects.put(world.worker(0), GrpcGateway.class, gateway);
      start(world, 0, port).stop().await();
      assertThat(lines).hasSize(1);
      gateway.close().await();
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void aVariableThatMeansNothingIsNamed(MemoryWorld world) {
    assertThatThrownBy(() -> start(world, 0, Map.of("TENSORBUS_PAGE", "many")))
        .isInstanceOf(UsageException.class)
        .hasMessage("TENSORBUS_PAGE is many; expected a whole number from 0 to 65535");
  }
}
