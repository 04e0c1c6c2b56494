// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.rpc.CallOptions;
import java.util.List;

/// Servers, and a process of [EmulatedTrainers].
final class EmulatedWorld implements AutoCloseable {
  private static final String TRAINERS = "trainers";

  private final ServerWorld world;

  /// Starts the processes.
  ///
  /// @param workers the number of workers that may be trainers
  EmulatedWorld(ServerOptions servers, int workers) {
    world = new ServerWorld(servers, System.err::println);
    world.startServers();
    world.start(
        TRAINERS,
        EmulatedTrainers.class,
        String.join(",", servers.servers()),
        Integer.toString(workers));
    world.awaitWorker(TRAINERS);
    world.await(
        "all trainers have joined",
        rpc -> rpc.rpcSync(TRAINERS, EmulatedTrainers::workers) == workers);
  }

  /// Carries out a run.
  EmulatedRun.Result run(EmulatedRun run) {
    List<Double> figures =
        world
            .rpc()
            .with(CallOptions.DEFAULT.withoutTimeout())
            .rpcSync(TRAINERS, EmulatedTrainers::run, run.words());
    return new EmulatedRun.Result(figures.get(0), figures.get(1), figures.get(2));
  }

  /// Returns the number of bytes that all trainers have sent.
  long sentByTrainers() {
    return world.rpc().rpcSync(TRAINERS, EmulatedTrainers::sentBytes);
  }

  /// Returns the number of bytes that all servers have sent.
  long sentByServers() {
    return world.sentByServers();
  }

  @Override
  public void close() {
    world.close();
  }
}
