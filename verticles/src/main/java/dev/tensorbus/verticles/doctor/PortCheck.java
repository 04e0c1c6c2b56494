// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.verticles.Setting;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Objects;

/// The port at which the workers of several machines look for rank 0.
///
/// @param port its number
/// @param isFree whether nobody listens there
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
        ? Finding.ok(port + " is free: rank 0 can listen there for workers on other machines")
        : Finding.weak(
            port
                + " is taken: a world that starts here takes another; with --rank, give every"
                + " worker another --master-port");
  }
}
