// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;
import java.util.Scanner;

/// One worker of a [NamespaceWorld]: it does what its standard input says and prints the outcome.
final class NamespaceWorker {
  private final Vertx vertx;
  private final Rpc rpc;

  private NamespaceWorker(Vertx vertx, Rpc rpc) {
    this.vertx = vertx;
    this.rpc = rpc;
  }

  /// Ends with its standard input.
  ///
  /// @param arguments the address and port of rank 0, the rank of this one, the size of the world
  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[2]);
    int port = Integer.parseInt(arguments[1]);
    Vertx vertx = new Cluster(arguments[0], port, rank == 0, World.PATIENCE).start();
    RpcOptions options =
        RpcOptions.worldSize(Integer.parseInt(arguments[3]))
            .withRank(rank)
            .withTimeout(World.CALL_TIME)
            .withRendezvousTimeout(World.PATIENCE);
    NamespaceWorker worker =
        new NamespaceWorker(vertx, Rpc.open(vertx, "worker" + rank, options).await());
    Scanner commands = new Scanner(System.in);
    while (commands.hasNextLine()) {
      String[] words = commands.nextLine().split(" ");
      Thread.ofVirtual().start(() -> System.out.println(words[0] + " " + worker.outcome(words)));
    }
    Runtime.getRuntime().halt(0);
  }

  private String outcome(String[] words) {
    try {
      return "ok " + run(words[1], words[words.length - 1]);
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName() + " " + e.getMessage();
    }
  }

  private Object run(String verb, String other) {
    switch (verb) {
      case "ready" -> rpc.ready().await();
      case "shutdown" -> rpc.shutdown().await();
      case "close" -> vertx.close().await();
      case "block" -> rpc.with(CallOptions.DEFAULT.withoutTimeout()).rpcSync(other, Probe::block);
      case "await-blocked" -> rpc.rpcSync(other, Probe::awaitBlocked);
      case "call" -> {
        return rpc.rpcSync(other, Probe::where);
      }
      case "workers" -> {
        return rpc.workers();
      }
      default -> throw new IllegalArgumentException(verb);
    }
    return "";
  }
}
