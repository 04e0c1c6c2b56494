// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.ServerStatus;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A parameter server in its own process.
final class ServerMain {
  private ServerMain() {}

  /// The server of a worker.
  private static final class Holder {
    private volatile @Nullable ParameterServer server;
  }

  /// Starts a server.
  ///
  /// @param args the world's, the names of the servers, those of the witnesses, and the number of
  ///     backups. A worker that is none of them is added
  public static void main(String[] args) {
    WorldMember member = WorldMember.join(args);
    Rpc rpc = member.open();
    ServerOptions options = options(member.arguments());
    rpc.shared(Holder.class, Holder::new).server =
        options.servers().contains(member.name()) || options.witnesses().contains(member.name())
            ? ParameterServer.start(rpc, options)
            : ParameterServer.add(rpc, options);
    WorldMember.awaitEnd();
  }

  /// Returns the arguments for [#main].
  static String[] arguments(ServerOptions options) {
    return new String[] {
      String.join(",", options.servers()),
      String.join(",", options.witnesses()),
      Integer.toString(options.backups())
    };
  }

  private static ServerOptions options(List<String> arguments) {
    ServerOptions options =
        ServerOptions.of(arguments.get(0).split(",", -1))
            .withBackups(Integer.parseInt(arguments.get(2)));
    String witnesses = arguments.get(1);
    return witnesses.isEmpty() ? options : options.withWitnesses(witnesses.split(",", -1));
  }

  private static boolean holds(Predicate<ParameterServer> question) {
    ParameterServer server = Rpc.current().shared(Holder.class, Holder::new).server;
    return server != null && question.test(server);
  }

  @Remote
  static boolean isComplete() {
    return holds(ParameterServer::isComplete);
  }

  @Remote
  static boolean isAdded() {
    return holds(server -> server.isComplete() && server.status().primarySlots() > 0);
  }

  @Remote
  static boolean isLeader() {
    return holds(ParameterServer::isLeader);
  }

  /// Returns the number of bytes that this worker has sent.
  @Remote
  static long sentBytes() {
    return WorldMember.sentBytes(Rpc.current());
  }

  /// Moves the parameters of this server to the others.
  @Remote
  static void drain() {
    Objects.requireNonNull(Rpc.current().shared(Holder.class, Holder::new).server).drain();
  }

  @Remote
  static int slots() {
    return ParameterServer.statusOf(Rpc.current()).map(ServerStatus::primarySlots).orElse(0);
  }
}
