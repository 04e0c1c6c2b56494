// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;

/// The port of rank 0, before it listens there.
public final class MasterPort {
  private static final System.Logger LOG = System.getLogger(MasterPort.class.getName());

  private MasterPort() {}

  /// One that nobody listens on.
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The same for a world that is started here. Logs the port, by which others ask for the world's
  /// status.
  public static int announceFree() {
    int port = free();
    LOG.log(
        Level.INFO,
        () -> "rank 0 is at port %1$d: tensorbus status --master-port %1$d".formatted(port));
    return port;
  }
}
