// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A network namespace for each rank, all connected by one bridge. A test can cut and restore the
/// connections. No packet leaves the bridge. Requires Linux, `ip` and root; see [#isAvailable].
public final class NetworkNamespaces implements AutoCloseable {
  private static final String FAMILY = "tb" + ProcessHandle.current().pid();

  private final int size;

  private NetworkNamespaces(int size) {
    this.size = size;
  }

  /// Returns whether this machine and user can create network namespaces.
  public static boolean isAvailable() {
    try {
      of(1).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Creates the given number of namespaces.
  ///
  /// @throws IOException if this machine or user cannot create them
  public static NetworkNamespaces of(int size) throws IOException {
    NetworkNamespaces network = new NetworkNamespaces(size);
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

  /// Returns the address of a rank.
  public String address(int rank) {
    return "10.219.0." + (rank + 1);
  }

  /// Returns a command that runs `command` in the namespace of `rank`, in the same process.
  public List<String> in(int rank, List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", space(rank)));
    all.addAll(command);
    return all;
  }

  /// Cuts the connection between two ranks. They also lose their connections to the ranks of
  /// earlier cuts, since an isolated port of a bridge reaches only ports that are not isolated.
  public void cut(int one, int other) throws IOException {
    isolate(one, "on");
    isolate(other, "on");
  }

  /// Restores the connections of two ranks that were cut.
  public void heal(int one, int other) throws IOException {
    isolate(one, "off");
    isolate(other, "off");
  }

  /// Restricts a rank's traffic to the TCP ports from `first` to `last`: it may connect to these
  /// ports of other ranks, and answer from its own ports in this range. Works like a firewall, but
  /// needs only `ip`.
  public void openOnly(int rank, int first, int last) throws IOException {
    String ports = first + "-" + last;
    rule(rank, "1", "dport", ports, "lookup", "main");
    rule(rank, "2", "sport", ports, "lookup", "main");
    rule(rank, "3", "unreachable");
  }

  private static void rule(int rank, String order, String... rest) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("-n", space(rank), "rule", "add", "pref", order, "ipproto", "tcp"));
    words.addAll(List.of(rest));
    ip(words.toArray(String[]::new));
  }

  /// Cuts a rank off from all others.
  public void detach(int rank) throws IOException {
    ip("link", "set", "dev", port(rank), "nomaster");
  }

  /// Reconnects a rank to all others.
  public void attach(int rank) throws IOException {
    ip("link", "set", "dev", port(rank), "master", FAMILY);
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

  /// Removes the namespaces and the bridge.
  @Override
  public void close() {
    for (int rank = 0; rank < size; rank++) {
      tryIp("netns", "del", space(rank));
      tryIp("link", "del", port(rank));
    }
    tryIp("link", "del", FAMILY);
  }

  /// Runs a command and ignores its failure, since the namespace may not exist.
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
