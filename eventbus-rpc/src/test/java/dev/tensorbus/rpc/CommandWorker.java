// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.transport.listen.Addresses;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Scanner;

/// A worker in a process of its own that runs the commands of its standard input, see
/// [WorkerConsole].
final class CommandWorker {
  private static final int LARGE = 1 << 20;

  private final Vertx vertx;
  private final Rpc rpc;

  private CommandWorker(Vertx vertx, Rpc rpc) {
    this.vertx = vertx;
    this.rpc = rpc;
  }

  /// Ends with its standard input.
  ///
  /// @param arguments the address and port of rank 0, the rank of this one, the size of the world,
  ///     its ports or nothing, its advertised address or nothing, the seconds of its heartbeat
  ///     time-out, and perhaps the folder of its certificates
  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[2]);
    int port = Integer.parseInt(arguments[1]);
    PortRange ports = arguments[4].isEmpty() ? PortRange.ANY : PortRange.parse(arguments[4]);
    String tls = arguments.length > 7 ? arguments[7] : "";
    Duration silence = Duration.ofSeconds(Long.parseLong(arguments[6]));
    Vertx vertx =
        new Cluster(arguments[0], port, rank == 0, World.PATIENCE)
            .withHeartbeatTimeout(silence)
            .withPorts(ports)
            .withAdvertisedAddress(arguments[5].isEmpty() ? null : arguments[5])
            .withTls(tls.isEmpty() ? null : Path.of(tls))
            .withTrustedNetwork(tls.isEmpty() && !Addresses.isLoopback(arguments[0]))
            .start();
    RpcOptions options =
        RpcOptions.worldSize(Integer.parseInt(arguments[3]))
            .withRank(rank)
            .withHeartbeatTimeout(silence)
            .withPorts(ports)
            .withLanes(Lane.SOCKET) // the processes share a /dev/shm, as hosts do not
            .withTimeout(World.CALL_TIME)
            .withRendezvousTimeout(World.PATIENCE);
    CommandWorker worker =
        new CommandWorker(vertx, Rpc.open(vertx, "worker" + rank, options).await());
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
      case "sum" -> {
        Tensor ones = Tensor.ones(LARGE);
        return rpc.rpcSync(other, Tensor::add, ones, ones).sum().item();
      }
      case "socket-lanes" -> {
        return rpc.debugInfo().get("lane.socket");
      }
      case "reach" -> {
        return reaches(other);
      }
      case "workers" -> {
        return rpc.workers();
      }
      default -> throw new IllegalArgumentException(verb);
    }
    return "";
  }

  private static boolean reaches(String place) {
    String[] parts = place.split(":", -1);
    try (Socket _ = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
