// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/// A process of a [ServerWorld], seen from within. It may have several workers.
///
/// @param vertx the Vertx of its workers
/// @param name the name of the process
/// @param arguments the arguments that only its program has
public record WorldMember(Vertx vertx, String name, int firstRank, List<String> arguments) {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// Copies the list.
  public WorldMember {
    arguments = List.copyOf(arguments);
  }

  static Cluster cluster(int port, boolean isMaster) {
    return new Cluster("127.0.0.1", port, isMaster, PATIENCE);
  }

  /// Joins the world of the program's arguments.
  public static WorldMember join(String[] arguments) {
    LogManager.getLogManager().reset(); // deaths are on purpose
    Logger.getLogger("").setLevel(Level.OFF);
    int port = Integer.parseInt(arguments[0]);
    int rank = Integer.parseInt(arguments[2]);
    List<String> rest = Arrays.asList(arguments).subList(3, arguments.length);
    return new WorldMember(cluster(port, false).start(), arguments[1], rank, rest);
  }

  /// Waits until the benchmark ends, and exits. Must be the last step of a program.
  public static void awaitEnd() {
    ForkedJvm.awaitEnd(); // which reads the input that the benchmark never closes
  }

  /// Opens the only worker of this process, which has its name.
  public Rpc open() {
    return open(name, 0);
  }

  /// Opens a worker of this process.
  ///
  /// @param index the number of the worker in this process, from 0
  public Rpc open(String worker, int index) {
    // Many more threads wait than there are cores, so none spins.
    RpcOptions options = RpcOptions.dynamic(firstRank + index).withIdleStrategy(IdleMode.PARK);
    return Rpc.open(vertx, worker, options).await();
  }

  /// Returns the number of bytes that a worker has sent.
  static long sentBytes(Rpc rpc) {
    return rpc.sentBytes().values().stream().mapToLong(Long::longValue).sum();
  }
}
