// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.rpc.testing.ForkedJvm;
import java.util.List;

/// A parameter server in a process of its own.
final class ServerProcess {
  static final List<String> NAMES = List.of("server1", "server2", "server3");

  private ServerProcess() {}

  public static void main(String[] args) {
    ParameterServer.start(
        ProcessWorld.join(args, NAMES), ServerOptions.of(NAMES.toArray(new String[0])));
    ForkedJvm.awaitEnd();
  }
}
