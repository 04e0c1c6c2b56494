// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A network namespace for each rank, all at one bridge. Needs Linux, `ip` and root.
final class Network implements AutoCloseable {
  private static final String FAMILY = "tb" + ProcessHandle.current().pid();

  private final int size;

  private Network(int size) {
    this.size = size;
  }

  /// Makes one.
  ///
  /// @throws IOException if this machine or user cannot
  static Network of(int size) throws IOException {
    Network network = new Network(size);
    try {
      ip("link", "add", FAMILY, "type", "bridge");
      ip("link", "set", FAMILY, "up");
      for (int rank = 0; rank < size; rank++) {
        network.add(rank);
      }
      return network;
    } catch (IOException e) {
      network.close();
      throw e;
    }
  }

  private void add(int rank) throws IOException {
    String space = space(rank);
    ip("netns", "add", space);
    ip("link", "add", port(rank), "type", "veth", "peer", "name", "eth0", "netns", space);
    ip("link", "set", port(rank), "master", FAMILY, "up");
    ip("-n", space, "addr", "add", address(rank) + "/24", "dev", "eth0");
    ip("-n", space, "link", "set", "eth0", "up");
    ip("-n", space, "link", "set", "lo", "up");
  }

  /// The address of a rank.
  String address(int rank) {
    return "10.219.0." + (rank + 1);
  }

  /// The command with its process in the namespace of `rank`; it keeps its process id.
  List<String> in(int rank, List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", space(rank)));
    all.addAll(command);
    return all;
  }

  /// Lets nothing through between two ranks, nor between those of two cuts at once: isolated ports
  /// of a bridge reach only those that are not.
  void cut(int one, int other) throws IOException {
    isolate(one, "on");
    isolate(other, "on");
  }

  /// Lets everything through again.
  void heal(int one, int other) throws IOException {
    isolate(one, "off");
    isolate(other, "off");
  }

  private static void isolate(int rank, String state) throws IOException {
    ip("link", "set", "dev", port(rank), "type", "bridge_slave", "isolated", state);
  }

  private static String space(int rank) {
    return "tensorbus-" + FAMILY + "-" + rank;
  }

  private static String port(int rank) {
    return FAMILY + "v" + rank;
  }

  @Override
  public void close() {
    for (int rank = 0; rank < size; rank++) {
      tryIp("netns", "del", space(rank));
      tryIp("link", "del", port(rank));
    }
    tryIp("link", "del", FAMILY);
  }

  /// A namespace that is not there needs no removal.
  private static void tryIp(String... arguments) {
    try {
      ip(arguments);
    } catch (IOException e) {
      return;
    }
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (exitCode(process) != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
