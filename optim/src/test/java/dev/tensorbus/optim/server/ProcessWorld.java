// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.LogManager;

/// Workers in processes of their own, which a test kills and starts again, and one of this process.
public final class ProcessWorld implements AutoCloseable {
  private final Class<?> main;
  private final List<String> names;
  private final List<String> arguments;
  private final int port = FreePort.find();
  private final Map<String, ForkedJvm> processes = new HashMap<>();
  private final Vertx vertx;
  private final Rpc rpc;

  /// Starts a process for each name.
  ///
  /// @param main the program, which calls [#join]
  /// @param own the name of the worker of this process
  /// @param arguments the program's arguments after the two that [#join] reads
  public ProcessWorld(Class<?> main, List<String> names, String own, String... arguments) {
    this.main = main;
    this.names = names;
    this.arguments = List.of(arguments);
    names.forEach(this::start);
    vertx = cluster(port, true).start();
    rpc = Rpc.open(vertx, own, RpcOptions.dynamic(0)).await();
  }

  private static Cluster cluster(int port, boolean isMaster) {
    return new Cluster("127.0.0.1", port, isMaster, Duration.ofSeconds(60));
  }

  /// Joins the world, as the worker of the program's process.
  ///
  /// @param args the program's arguments
  public static Rpc join(String[] args, List<String> names) {
    LogManager.getLogManager().reset(); // deaths are on purpose
    int rank = Integer.parseInt(args[1]);
    Vertx vertx = cluster(Integer.parseInt(args[0]), false).start();
    return Rpc.open(vertx, names.get(rank - 1), RpcOptions.dynamic(rank)).await();
  }

  public Rpc rpc() {
    return rpc;
  }

  public void start(String name) {
    List<String> all = new ArrayList<>();
    all.add(Integer.toString(port));
    all.add(Integer.toString(names.indexOf(name) + 1));
    all.addAll(arguments);
    processes.put(name, ForkedJvm.start(main, all.toArray(new String[0])));
  }

  public void kill(String name) {
    processes.get(name).kill();
  }

  @Override
  public void close() {
    processes.values().forEach(ForkedJvm::close);
    rpc.leave().await();
    vertx.close().await();
  }
}
