// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.ForkedJvm;
import dev.tensorbus.rpc.testing.NetworkNamespaces;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Workers in processes, each in a network namespace of its own, so that a test can cut what
/// passes between them. The test tells them what to do by their standard input.
final class NamespaceWorld implements AutoCloseable {
  private static final int PORT = 29_500;

  /// The column of `/proc/net/tcp`, and its value for sockets that listen.
  private static final int STATE = 3;

  private static final String LISTENING = "0A";

  private final NetworkNamespaces network;
  private final List<List<String>> arguments = new ArrayList<>();
  private final List<Console> consoles = new ArrayList<>();

  /// Starts one worker in each namespace.
  NamespaceWorld(int size) throws IOException {
    this(NetworkNamespaces.of(size), Collections.nCopies(size, ""), "");
  }

  /// Starts one worker in each of the first namespaces.
  ///
  /// @param ports of each rank, such as `29500-29520`; an empty text for any
  /// @param advertised the address of all workers for the others; an empty text for their own
  NamespaceWorld(NetworkNamespaces network, List<String> ports, String advertised) {
    this.network = network;
    String master = advertised.isEmpty() ? network.address(0) : advertised;
    String size = Integer.toString(ports.size());
    for (int rank = 0; rank < ports.size(); rank++) {
      String number = Integer.toString(rank);
      arguments.add(
          List.of(master, Integer.toString(PORT), number, size, ports.get(rank), advertised));
      consoles.add(start(rank));
    }
  }

  private Console start(int rank) {
    return new Console(
        ForkedJvm.start(
            network, rank, NamespaceWorker.class, arguments.get(rank).toArray(String[]::new)));
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
      Path sockets = Path.of("/proc", Long.toString(consoles.get(rank).jvm.pid()), "net", table);
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
    consoles.get(rank).jvm.kill();
    consoles.set(rank, start(rank));
  }

  @Override
  public void close() {
    consoles.forEach(console -> console.jvm.kill());
    network.close();
  }

  /// The standard input and output of one worker: a line of each begins with the same number.
  private static final class Console {
    private final ForkedJvm jvm;
    private final Map<String, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    Console(ForkedJvm jvm) {
      this.jvm = jvm;
      Thread.ofVirtual().start(() -> listen(jvm.output()));
    }

    private void listen(BufferedReader output) {
      output
          .lines()
          .forEach(
              line -> {
                int space = Math.max(0, line.indexOf(' '));
                CompletableFuture<String> question = asked.remove(line.substring(0, space));
                if (question == null) {
                  System.out.println(line);
                } else {
                  question.complete(line.substring(space + 1));
                }
              });
    }

    private CompletableFuture<String> ask(String command) {
      String number = Integer.toString(numbers.incrementAndGet());
      CompletableFuture<String> answer = new CompletableFuture<>();
      asked.put(number, answer);
      try {
        BufferedWriter input = jvm.input();
        input.write(number + " " + command + "\n");
        input.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return answer;
    }
  }
}
