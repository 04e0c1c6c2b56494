// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.rpc.FreePort;
import java.lang.System.Logger.Level;

/// Chooses the port of rank 0.
public final class MasterPort {
  private static final System.Logger LOG = System.getLogger(MasterPort.class.getName());

  private MasterPort() {}

  /// Returns a free port for a local world and logs it, for `tensorbus status`.
  public static int announceFree() {
    int port = FreePort.find();
    LOG.log(
        Level.INFO,
        () ->
            "rank 0 listens on port %1$d; see tensorbus status --master-port %1$d".formatted(port));
    return port;
  }
}
