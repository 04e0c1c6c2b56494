// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.rpc.testing.ForkedJvm;
import dev.tensorbus.rpc.testing.NetworkNamespaces;
import dev.tensorbus.rpc.transport.listen.Authority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Worlds whose hosts let few ports through, or know each other by other addresses.
@Tag("long")
@ResourceLock("network namespaces")
class PortsIT {
  private static final String PORTS = "29500-29509";
  private static final String SUM = "ok " + 2f * (1 << 20);

  /// Some elements of a tensor, as a connection carries them.
  private static final String ONES = "\0\0\u0080\u003f".repeat(16);

  @BeforeEach
  void requireNamespaces() {
    assumeTrue(NetworkNamespaces.isAvailable(), "needs Linux, ip and root");
  }

  private static Stream<String> all(NamespaceWorld world, int size, String command) {
    List<CompletableFuture<String>> answers =
        IntStream.range(0, size).mapToObj(rank -> world.ask(rank, command)).toList();
    return answers.stream().map(PortsIT::outcome);
  }

  private static String outcome(CompletableFuture<String> answer) {
    return answer.completeOnTimeout("nothing", World.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Test
  void aWorldWorksWhereOnlyItsPortsAreOpen() throws IOException {
    NetworkNamespaces network = NetworkNamespaces.of(3);
    for (int rank = 0; rank < 3; rank++) {
      network.openOnly(rank, 29_500, 29_509);
    }
    try (NamespaceWorld world =
        new NamespaceWorld(network, Collections.nCopies(3, PORTS), "", "")) {
      assertThat(all(world, 3, "ready")).containsOnly("ok ");
      for (int rank = 0; rank < 3; rank++) {
        int next = (rank + 1) % 3;
        assertThat(outcome(world.ask(rank, "sum worker" + next))).isEqualTo(SUM);
        assertThat(outcome(world.ask(rank, "socket-lanes"))).isIn("ok 1", "ok 2");
      }
      for (int rank = 0; rank < 3; rank++) {
        assertThat(world.listeningPorts(rank))
            .hasSize(3)
            .allMatch(port -> port >= 29_500 && port <= 29_509);
      }
      assertThat(all(world, 3, "shutdown")).containsOnly("ok ");
    }
  }

  @Test
  void aWorldWithCertificatesWorksBetweenHosts(@TempDir Path folder) throws Exception {
    Path tls = Authority.in(folder, 1).certify("worker");
    try (NamespaceWorld world = new NamespaceWorld(3, tls)) {
      assertThat(all(world, 3, "ready")).containsOnly("ok ");
      for (int rank = 0; rank < 3; rank++) {
        int next = (rank + 1) % 3;
        assertThat(outcome(world.ask(rank, "sum worker" + next))).isEqualTo(SUM);
        assertThat(outcome(world.ask(rank, "socket-lanes"))).isIn("ok 1", "ok 2");
      }
      assertThat(all(world, 3, "shutdown")).containsOnly("ok ");
    }
  }

  /// The firewall of the test itself.
  @Test
  void nothingBeyondTheOpenPortsIsReached(@TempDir Path folder) throws IOException {
    NetworkNamespaces network = NetworkNamespaces.of(2);
    network.openOnly(0, 29_500, 29_509);
    String record = folder.resolve("record").toString();
    String[] doors = {record, "192.0.2.1", "29505-29508", "192.0.2.1", "29600-29603"};
    try (NamespaceWorld world = new NamespaceWorld(network, List.of(PORTS), "", "");
        ForkedJvm other = ForkedJvm.start(network, 1, PortForwarder.class, doors)) {
      assertThat(other.output().readLine()).isEqualTo("ready");
      String host = network.address(1);
      assertThat(outcome(world.ask(0, "reach " + host + ":29505"))).isEqualTo("ok true");
      assertThat(outcome(world.ask(0, "reach " + host + ":29600"))).isEqualTo("ok false");
    }
  }

  /// Both lie behind one gateway, cannot reach each other, and have no port in common. The gateway
  /// records what passes through it.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorldWorksWhereWorkersReachEachOtherByAdvertisedAddressesOnly(
      boolean isEncrypted, @TempDir Path folder) throws Exception {
    NetworkNamespaces network = NetworkNamespaces.of(3);
    network.cut(0, 1);
    String gateway = network.address(2);
    List<String> ports = List.of(PORTS, "29510-29519");
    Path record = folder.resolve("record");
    String tls =
        isEncrypted ? Authority.in(folder.resolve("tls"), 1).certify("any").toString() : "";
    String[] forwards = {
      record.toString(), network.address(0), ports.get(0), network.address(1), ports.get(1)
    };
    try (ForkedJvm forwarder = ForkedJvm.start(network, 2, PortForwarder.class, forwards)) {
      assertThat(forwarder.output().readLine()).isEqualTo("ready");
      try (NamespaceWorld world = new NamespaceWorld(network, ports, gateway, tls)) {
        assertThat(all(world, 2, "ready")).containsOnly("ok ");
        assertThat(outcome(world.ask(0, "sum worker1"))).isEqualTo(SUM);
        assertThat(outcome(world.ask(1, "sum worker0"))).isEqualTo(SUM);
        assertThat(all(world, 2, "socket-lanes")).containsOnly("ok 1");
        String direct = "reach " + network.address(0) + ":29500";
        assertThat(outcome(world.ask(1, direct))).isEqualTo("ok false");
        assertThat(all(world, 2, "shutdown")).containsOnly("ok ");
      }
    }
    String passed = Files.readString(record, StandardCharsets.ISO_8859_1);
    assertThat(passed.length()).as("tensors of 4 MiB").isGreaterThan(4 << 20);
    for (String inClear : List.of("worker0", "Tensor", ONES)) {
      assertThat(passed.contains(inClear)).as(inClear).isNotEqualTo(isEncrypted);
    }
  }
}
