// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.ForkedJvm;
import java.time.Duration;
import java.util.List;
import java.util.logging.LogManager;

/// A parameter server in a process of its own.
final class ServerProcess {
  static final List<String> NAMES = List.of("server1", "server2", "server3");

  private ServerProcess() {}

  /// @param args the port of the meeting point, and the rank from 1
  public static void main(String[] args) {
    LogManager.getLogManager().reset(); // deaths are on purpose
    int rank = Integer.parseInt(args[1]);
    Rpc rpc =
        Rpc.open(
                cluster(Integer.parseInt(args[0]), false).start(),
                NAMES.get(rank - 1),
                RpcOptions.dynamic(rank))
            .await();
    ParameterServer.start(rpc, ServerOptions.of(NAMES.toArray(new String[0])));
    ForkedJvm.awaitEnd();
  }

  static Cluster cluster(int port, boolean isMaster) {
    return new Cluster("127.0.0.1", port, isMaster, Duration.ofSeconds(60));
  }
}
