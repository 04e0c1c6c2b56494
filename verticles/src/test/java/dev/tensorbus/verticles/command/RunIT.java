// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// `tensorbus run`, with classes of the user's.
class RunIT {
  private static Running run(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", "-cp", "target/test-classes"));
    words.addAll(List.of(arguments));
    return Commands.jar("tensorbus.jar", words.toArray(String[]::new));
  }

  @Test
  void eachProcessLearnsWhichWorkerItIsAndFindsTheOthers() throws Exception {
    try (Running world = run("--workers", "3", UserMain.class.getName(), "--greeting", "hello")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output().lines())
          .filteredOn(line -> !line.contains(" INFO "))
          .containsExactlyInAnyOrder(
              "[worker0] worker0 of 3",
              "[worker1] worker1 of 3: hello from worker0",
              "[worker2] worker2 of 3: hello from worker0");
    }
  }

  @Test
  void aWorkerThatFailsSaysWhyAndTheRunFails() throws Exception {
    try (Running world = run("--workers", "2", UserMain.class.getName(), "--fail", "now")) {
      assertThat(world.end()).as(world.output()).isEqualTo(1);
      assertThat(world.output())
          .contains("[worker1] java.lang.IllegalStateException: asked to fail")
          .contains("error: worker1 is lost (exit code 1)")
          .contains("UserMain.java:");
    }
  }

  @Test
  void aWorkerThatFailsIsStartedAgainUnderItsRank() throws Exception {
    try (Running world =
        run(
            "--workers",
            "2",
            "--restarts",
            "1",
            UserMain.class.getName(),
            "--fail-once",
            "hello")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("worker1 is lost (exit code 1); restart 1 of 1")
          .contains("[worker1] worker1 of 2: hello from worker0");
    }
  }

  @Test
  void aWorkerThatIsBackWhenTheOthersHaveFinishedWaitsForNobody() throws Exception {
    try (Running world =
        run("--workers", "2", "--restarts", "1", UserMain.class.getName(), "--fail", "now")) {
      assertThat(world.end()).as(world.output()).isEqualTo(1);
      assertThat(world.output()).contains("it cannot join again: rank 0 has finished");
    }
  }

  @Test
  void aUsersWorldHasAPageMetricsCurvesAndAGateway(@TempDir Path folder) throws Exception {
    PortRange ports = FreePort.range(4);
    int port = ports.first();
    int gateway = ports.first() + 1;
    Path log = folder.resolve("run.jsonl");
    List<String> shown =
        List.of(
            "--page",
            Integer.toString(port),
            "--grpc-port",
            Integer.toString(gateway),
            "--log",
            log.toString());
    List<String> words = new ArrayList<>(List.of("--workers", "2"));
    words.addAll(shown);
    words.addAll(List.of(UserMain.class.getName(), "--report", "hello"));
    try (Running world = run(words.toArray(String[]::new));
        HttpClient browser = HttpClient.newHttpClient()) {
      String page = "http://127.0.0.1:%d/".formatted(port);
      world.await("the training has ended; " + page + " stays up until Ctrl-C");
      assertThat(world.output()).contains("gRPC on 127.0.0.1:" + gateway);
      new Socket(InetAddress.getLoopbackAddress(), gateway).close();
      assertThat(get(browser, page)).contains("<html");
      assertThat(get(browser, page + "metrics")).contains("tensorbus_");
      assertThat(Files.readAllLines(log))
          .hasSize(4)
          .anySatisfy(line -> assertThat(line).contains("\"step\":2,\"loss\":0.5"))
          .last()
          .asString()
          .contains("\"step\":3,\"accuracy\":0.75");
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs signals")
  void ctrlCThatOnlyClosesThePageOfAFinishedRunIsNoFailure() throws Exception {
    try (Running world = run("--workers", "2", "--page", "0", UserMain.class.getName(), "", "hi")) {
      world.await("stays up until Ctrl-C");
      List<ProcessHandle> processes = world.descendants();
      if (processes.size() > 2) { // more than the launcher's second JVM and worker0
        awaitOne(processes);
      }
      world.interrupt();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }
  }

  /// Waits for the first of these processes that ends.
  private static void awaitOne(List<ProcessHandle> processes) throws Exception {
    CompletableFuture.anyOf(
            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .get(1, TimeUnit.MINUTES);
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs signals")
  void ctrlCEndsARunWithACodeOfItsOwn() throws Exception {
    try (Running world = run("--page", "0", UserMain.class.getName(), "--wait", "here")) {
      world.await("[worker1] waits");
      world.interrupt();
      assertThat(world.end()).as(world.output()).isEqualTo(130);
    }
  }

  private static String get(HttpClient browser, String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void aSettingOfThePageIsCheckedBeforeAnyWorkerStarts() throws Exception {
    try (Running world = run("--page", "70000", UserMain.class.getName())) {
      assertThat(world.end()).isEqualTo(2);
      assertThat(world.output())
          .contains("--page is 70000; expected a whole number from 0 to 65535");
    }
  }

  @Test
  void rankZeroIsMetAtTheFirstPortOfARange() throws Exception {
    PortRange ports = FreePort.range(9);
    try (Running world =
        run(
            "--workers",
            "2",
            "--ports",
            ports.toString(),
            UserMain.class.getName(),
            "--wait",
            "here")) {
      world.await("[worker1] waits");
      new Socket(InetAddress.getLoopbackAddress(), ports.first()).close();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /proc")
  void allSocketsOfALocalRunAreOnLoopback() throws Exception {
    try (Running world = run("--workers", "2", UserMain.class.getName(), "--wait", "here")) {
      world.await("[worker1] waits");
      for (ProcessHandle process : world.descendants()) {
        assertThat(Sockets.of(process.pid()))
            .allSatisfy(
                socket ->
                    assertThat(socket.address())
                        .as("%s", socket)
                        .matches(InetAddress::isLoopbackAddress));
      }
      assertThat(world.descendants().stream().flatMap(one -> Sockets.of(one.pid()).stream()))
          .hasSizeGreaterThanOrEqualTo(4); // each worker listens for members and for messages
    }
  }

  @Test
  void portsThatAreNoRangeAreRefused() throws Exception {
    try (Running world = run("--ports", "29500", UserMain.class.getName())) {
      assertThat(world.end()).isEqualTo(2);
      assertThat(world.output()).contains("--ports is 29500; expected a range of at least 4 ports");
    }
  }

  @Test
  void allWorkersEndWhenTheLauncherIsKilled() throws Exception {
    try (Running world = run("--workers", "2", UserMain.class.getName(), "--wait", "here")) {
      world.await("[worker1] waits");
      List<ProcessHandle> workers = world.descendants();
      assertThat(workers).hasSize(3); // and the launcher's second JVM
      world.kill();
      for (ProcessHandle worker : workers) {
        assertThat(worker.onExit().get(1, TimeUnit.MINUTES)).isNotNull();
      }
    }
  }
}
