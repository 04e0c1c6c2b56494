// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Chooses the port of rank 0.
public final class MasterPort {
  private static final System.Logger LOG = System.getLogger(MasterPort.class.getName());

  private MasterPort() {}

  /// Returns a free port.
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns a free port for a local world and logs it, for `tensorbus status`.
  public static int announceFree() {
    int port = free();
    LOG.log(
        Level.INFO,
        () ->
            "rank 0 listens on port %1$d; see tensorbus status --master-port %1$d".formatted(port));
    return port;
  }
}
