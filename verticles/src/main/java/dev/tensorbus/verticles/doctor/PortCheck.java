// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.verticles.Setting;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Objects;

/// Checks the default port of rank 0.
///
/// @param port the port
/// @param isFree whether no process listens on it
record PortCheck(int port, boolean isFree) implements Check {
  static PortCheck here() {
    return of((int) Objects.requireNonNull(Setting.MASTER_PORT.standard()));
  }

  static PortCheck of(int port) {
    try (ServerSocket _ = new ServerSocket(port)) {
      return new PortCheck(port, true);
    } catch (IOException e) {
      return new PortCheck(port, false);
    }
  }

  @Override
  public Finding finding() {
    return isFree
        ? Finding.ok(port + " is free: rank 0 can listen on it for workers on other machines")
        : Finding.weak(
            port
                + " is in use: a local world uses another port; with --rank, set another"
                + " --master-port on every worker");
  }
}
