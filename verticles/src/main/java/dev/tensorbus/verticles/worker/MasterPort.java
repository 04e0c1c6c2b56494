// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// The port of rank 0, before it listens there.
public final class MasterPort {
  private MasterPort() {}

  /// One that nobody listens on.
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
