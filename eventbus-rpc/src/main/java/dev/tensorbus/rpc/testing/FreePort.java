// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.PortRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// Finds ports on which another process will listen seconds later.
public final class FreePort {
  private static final int FIRST = 12_000;

  /// Lower than the ephemeral ports, which start at 32768 and which operating systems also assign
  /// to outgoing connections.
  private static final int END = 32_000;

  private FreePort() {}

  /// Returns a free loopback port outside the range of ephemeral ports.
  public static int find() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port)) {
        return port;
      }
    }
  }

  /// Returns a range of consecutive ports that are all free and not ephemeral.
  public static PortRange range(int size) {
    while (true) {
      int first = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (IntStream.range(first, first + size).allMatch(FreePort::isFree)) {
        return new PortRange(first, first + size - 1);
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false; // another socket listens on it
    }
  }
}
