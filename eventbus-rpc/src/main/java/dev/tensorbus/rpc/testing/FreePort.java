// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.PortRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// Finds ports that another process is to listen on, seconds later.
public final class FreePort {
  /// Operating systems give ports from 32768 on to whoever asks for any, connections included.
  private static final int FIRST = 12_000;

  private static final int END = 32_000;

  private FreePort() {}

  /// A port of loopback that nobody listens on, and that the operating system gives to nobody.
  public static int find() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port)) {
        return port;
      }
    }
  }

  /// Ports of loopback of the same kind, which follow each other.
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
      return false; // somebody listens there
    }
  }
}
