// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.metrics.MeasuredWorld.Errands;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/// Scrapes of a world whose workers call each other.
class MetricsTest {
  private static final Path ROOT = Path.of("..");

  private static final byte[] HEALTH =
      "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final MeasuredWorld world = new MeasuredWorld();
  private final Rpc caller = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// Makes six calls, of which one fails. A listener that comes later hears later than the meters.
  private void makeCalls() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(6);
    caller.onCallEnded(call -> ended.countDown());
    for (int n = 0; n < 5; n++) {
      caller.rpcSync("worker1", Errands::twice, n);
    }
    assertThatThrownBy(() -> caller.rpcSync("worker1", Errands::fail))
        .isInstanceOf(RemoteException.class);
    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void theCallerCountsItsCallsByWorkerAndByMethod() throws Exception {
    makeCalls();
    Scrape scrape = world.scrape(0);
    String side = "side=\"caller\"";
    assertThat(scrape.sum("tensorbus_calls_seconds_count", side, "peer=\"worker1\"")).isEqualTo(6);
    assertThat(scrape.sum("tensorbus_calls_seconds_sum", side)).isPositive();
    assertThat(scrape.sum("tensorbus_calls_seconds", side, "quantile=\"0.99\"")).isPositive();
    assertThat(scrape.sum("tensorbus_method_calls_seconds_count", side, "method=\"Errands.twice\""))
        .isEqualTo(5);
    assertThat(scrape.sum("tensorbus_call_failures_total")).isEqualTo(1);
    assertThat(scrape.sum("tensorbus_call_failures_total", side, "outcome=\"error\"")).isEqualTo(1);
    assertThat(scrape.sum("tensorbus_call_retries_total")).isZero();
  }

  @Test
  void aScrapeTellsOfTheWorldTheWorkerAndItsJvm() throws Exception {
    Scrape scrape = world.scrape(1);
    assertThat(scrape.sum("tensorbus_world_size", "worker=\"worker1\"")).isEqualTo(2);
    assertThat(scrape.sum("tensorbus_world_workers")).isEqualTo(2);
    assertThat(scrape.sum("tensorbus_sent_bytes_total", "way=\"bus\"")).isPositive();
    assertThat(scrape.sum("tensorbus_sent_bytes_total", "way=\"lane\"")).isZero();
    assertThat(scrape.sum("jvm_memory_used_bytes", "area=\"heap\"")).isPositive();
    caller.debugInfo().keySet().stream()
        .map(name -> "tensorbus_" + name.replace('.', '_'))
        .forEach(name -> assertThat(scrape.families()).contains(name));
  }

  @Test
  void progressIsCounted() throws Exception {
    Progress progress = world.metrics(0).progress();
    progress.start(3);
    progress.step(32, 0.5f);
    progress.step(16, 0.25f);
    Scrape scrape = world.scrape(0);
    assertThat(scrape.sum("tensorbus_planned_steps")).isEqualTo(3);
    assertThat(scrape.sum("tensorbus_steps_total")).isEqualTo(2);
    assertThat(scrape.sum("tensorbus_samples_total")).isEqualTo(48);
    assertThat(scrape.sum("tensorbus_loss")).isEqualTo(0.25);
  }

  @Test
  void manyMethodsAndManyWorkersMakeNoManySeries() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CallMeters meters = new CallMeters(registry);
    for (int n = 0; n < 300; n++) {
      FunctionName method = new FunctionName("dev.example.Server", "method" + n);
      for (Side side : Side.values()) {
        meters.accept(new EndedCall(side, "worker" + n, method, Outcome.OK, 1_000, 0));
      }
    }
    Scrape scrape = new Scrape(registry.scrape());
    int others = world.scrape(0).size();
    assertThat(scrape.size() + others).isLessThan(2_000);
    assertThat(scrape.sum("tensorbus_method_calls_seconds_count", "method=\"other\""))
        .isEqualTo(2 * 250);
    assertThat(scrape.sum("tensorbus_calls_seconds_count", "peer=\"other\"")).isEqualTo(2 * 236);
    assertThat(scrape.sum("tensorbus_calls_seconds_count")).isEqualTo(600);
  }

  @Test
  void aWorkerIsHealthyAsLongAsItsWorldIsWhole() throws Exception {
    assertThat(world.get(0, "/health").statusCode()).isEqualTo(200);
    world.kill(1);
    HttpResponse<String> lost = world.get(0, "/health");
    assertThat(lost.statusCode()).isEqualTo(503);
    assertThat(lost.body()).startsWith("no worker of rank 1; known workers: worker0");
  }

  @Test
  void anyOtherPageIsMissing() throws Exception {
    HttpResponse<String> missing = world.get(0, "/");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).isEqualTo("not found; try /metrics or /health\n");
  }

  @Test
  void aPortThatIsTakenIsAnErrorThatNamesIt() {
    int taken = world.metrics(0).port();
    MetricsExtension second = new MetricsExtension(MeasuredWorld.options(taken));
    assertThatThrownBy(() -> second.start(world.worker(1)).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("metrics cannot listen on port %d of 127.0.0.1: ", taken)
        .hasMessageEndingWith("; set --metrics to a free port, one per worker of a host");
    second.stop().await();
  }

  @Test
  void nothingListensOnceItHasStopped() throws Exception {
    world.metrics(0).stop().await();
    assertThatThrownBy(() -> world.get(0, "/metrics")).isInstanceOf(IOException.class);
  }

  private ParameterStore<Linear> join() {
    Linear net = new Linear(2, 2, new Random(1));
    return ParameterStore.join(
        world.worker(1), net, new Sgd(0.1), StoreOptions.of("worker0").withGroup("net"));
  }

  @Test
  void aParameterServerCountsItsSlotsVersionsAndTheStalenessOfTrainers() throws Exception {
    assertThat(world.scrape(0).families()).noneMatch(name -> name.startsWith("tensorbus_server"));
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (var store = join()) {
      store.push(1).await();
      Scrape scrape = world.scrape(0);
      assertThat(scrape.sum("tensorbus_server_slots", "kind=\"primary\"")).isEqualTo(256);
      assertThat(scrape.sum("tensorbus_server_slots", "kind=\"backup\"")).isZero();
      assertThat(scrape.sum("tensorbus_server_version", "group=\"net\"")).isEqualTo(2);
      assertThat(scrape.sum("tensorbus_server_staleness", "trainer=\"worker1\"")).isZero();
    }
  }

  @Test
  void thePageOfMetricsListsEach() throws Exception {
    makeCalls();
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Set<String> told;
    try (var store = join()) {
      store.push(1).await();
      told = world.scrape(0).families();
    }
    Set<String> listed = names(Path.of("docs", "metrics.md"), "(?m)^\\| `([a-z0-9_]+)` \\|");
    assertThat(listed).containsAll(told);
    // Those of garbage collections come with the first.
    listed.removeIf(name -> name.startsWith("jvm_gc_"));
    assertThat(told).containsAll(listed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grafana/dashboard.json", "prometheus/rules.yml"})
  void eachMetricOfAConfigurationIsOneOfAScrape(String file) throws Exception {
    makeCalls();
    Object parsed = new Yaml().load(Files.readString(ROOT.resolve("config").resolve(file)));
    assertThat(parsed).isInstanceOf(Map.class); // JSON is YAML
    Set<String> used = names(Path.of("config", file), "\\b((?:tensorbus|jvm)_[a-z_]+)");
    assertThat(used).isNotEmpty();
    assertThat(world.scrape(0).names()).containsAll(used);
  }

  private static Set<String> names(Path file, String pattern) throws Exception {
    return Pattern.compile(pattern)
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// A page of a foreign name that leads to 127.0.0.1 must not read these.
  @Test
  void aForeignNameOfThisMachineIsRefused() throws Exception {
    assertThat(answerTo("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(answerTo("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  private String answerTo(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(16), StandardCharsets.US_ASCII);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.metrics(0).port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  @Test
  void silentConnectionsAreFewAndShortAndKeepNobodyOut() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (Socket served = connect()) {
      served.getOutputStream().write(HEALTH);
      assertThat(served.getInputStream().readNBytes(12)).startsWith(OK);
      for (int i = 0; i < 300; i++) { // there is room for 256
        silent.add(connect());
      }
      assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
      assertThat(world.get(0, "/health").statusCode()).isEqualTo(200);
      assertThat(silent.getLast().getInputStream().read()).isEqualTo(-1); // within five seconds
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }
}
