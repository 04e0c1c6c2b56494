// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Finds ports on which this or another process will listen seconds later. No port is reserved: a
/// server that can choose at the moment it starts should bind port 0 instead.
public final class FreePort {
  private static final int FIRST = 12_000;

  /// Lower than the ephemeral ports, which start at 32768 and which operating systems also assign
  /// to outgoing connections.
  private static final int END = 32_000;

  private static final int TRIES = 1000;

  /// Counts up from a random start, so that a process finds no port twice: it may take a while
  /// until somebody listens there.
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(END));

  private FreePort() {}

  /// Returns a free loopback port outside the range of ephemeral ports.
  ///
  /// @throws IllegalStateException if this process can open none
  public static int find() {
    return first(1);
  }

  /// Returns a range of consecutive ports that are all free and not ephemeral.
  ///
  /// @throws IllegalStateException if this process can open none
  public static PortRange range(int size) {
    int first = first(size);
    return new PortRange(first, first + size - 1);
  }

  private static int first(int size) {
    return IntStream.generate(() -> FIRST + Math.floorMod(NEXT.getAndAdd(size), END - FIRST))
        .limit(TRIES)
        .filter(first -> first + size <= END)
        .filter(first -> IntStream.range(first, first + size).allMatch(FreePort::isFree))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "none of %d ports from %d to %d is free on %s"
                        .formatted(TRIES, FIRST, END - 1, InetAddress.getLoopbackAddress())));
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false; // another socket listens on it
    }
  }
}
