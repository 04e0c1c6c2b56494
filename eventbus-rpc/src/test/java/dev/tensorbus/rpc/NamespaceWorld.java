// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.ForkedJvm;
import dev.tensorbus.rpc.testing.NetworkNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// Workers in processes, each in a network namespace of its own, so that a test can cut what
/// passes between them. The test tells them what to do by their standard input.
final class NamespaceWorld implements AutoCloseable {
  private static final int PORT = 29_500;

  /// The heartbeat time-out of its workers. A busy machine may stop a process for some seconds.
  static final Duration SILENCE = Duration.ofSeconds(10);

  /// The column of `/proc/net/tcp`, and its value for sockets that listen.
  private static final int STATE = 3;

  private static final String LISTENING = "0A";

  private final NetworkNamespaces network;
  private final List<List<String>> arguments = new ArrayList<>();
  private final List<WorkerConsole> consoles = new ArrayList<>();

  /// Starts one worker in each namespace.
  NamespaceWorld(int size) throws IOException {
    this(NetworkNamespaces.of(size), Collections.nCopies(size, ""), "", "");
  }

  /// Starts one worker in each namespace, with a folder of certificates.
  NamespaceWorld(int size, Path tls) throws IOException {
    this(NetworkNamespaces.of(size), Collections.nCopies(size, ""), "", tls.toString());
  }

  /// Starts one worker in each of the first namespaces.
  ///
  /// @param ports of each rank, such as `29500-29520`; an empty text for any
  /// @param advertised the address of all workers for the others; an empty text for their own
  /// @param tls a folder of certificates; an empty text for none
  NamespaceWorld(NetworkNamespaces network, List<String> ports, String advertised, String tls) {
    this.network = network;
    String master = advertised.isEmpty() ? network.address(0) : advertised;
    String size = Integer.toString(ports.size());
    for (int rank = 0; rank < ports.size(); rank++) {
      String number = Integer.toString(rank);
      arguments.add(
          List.of(
              master,
              Integer.toString(PORT),
              number,
              size,
              ports.get(rank),
              advertised,
              Long.toString(SILENCE.toSeconds()),
              tls));
      consoles.add(start(rank));
    }
  }

  private WorkerConsole start(int rank) {
    return new WorkerConsole(
        ForkedJvm.start(
            network, rank, CommandWorker.class, arguments.get(rank).toArray(String[]::new)));
  }

  NetworkNamespaces network() {
    return network;
  }

  /// Has a worker do something, such as `call worker1`.
  ///
  /// @return its outcome: `ok` and a value, or the class of an error and its message
  CompletableFuture<String> ask(int rank, String command) {
    return consoles.get(rank).ask(command);
  }

  /// The ports that are listened on in the namespace of a worker.
  Set<Integer> listeningPorts(int rank) throws IOException {
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path sockets = Path.of("/proc", Long.toString(consoles.get(rank).jvm().pid()), "net", table);
      for (String line : Files.readAllLines(sockets)) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[STATE].equals(LISTENING)) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  /// Kills the process of a worker and starts it again by the same command.
  void restart(int rank) {
    consoles.get(rank).jvm().kill();
    consoles.set(rank, start(rank));
  }

  @Override
  public void close() {
    consoles.forEach(console -> console.jvm().kill());
    network.close();
  }
}
