// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.WorkerState;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A parameter server or a witness: has a part of the parameters until the trainers are done.
final class ServerVerticle extends RpcWorker {
  private static final Logger LOG = System.getLogger(ServerVerticle.class.getName());

  private final WorkerOptions options;
  private final @Nullable BiFunction<Rpc, WorkerOptions, ModelServer> served;

  /// @param served creates the model that the gateway serves, if it serves one
  ServerVerticle(
      Role role,
      WorkerOptions options,
      @Nullable BiFunction<Rpc, WorkerOptions, ModelServer> served) {
    super(role, options);
    this.options = options;
    this.served = served;
    attach(new Server(ServerSettings.server(options)));
  }

  @Override
  protected void serve(Rpc rpc) {
    ServerOptions servers = ServerSettings.server(options);
    boolean isPair = servers.servers().size() + servers.witnesses().size() == 2;
    if (rpc.self().id() == 0 && isPair && servers.backups() > 0) {
      LOG.log(
          Level.WARNING,
          "two servers cannot decide which of them is alive: if one dies, nobody takes over; add"
              + " --witness or a third server");
    }
    if (served != null && GatewaySettings.isOn(options)) {
      ModelServer model = served.apply(rpc, options);
      WorkerObjects.put(rpc, ModelServer.class, model);
      WorkerObjects.put(rpc, Exports.class, Exports.of(WorkerState.class).with(model));
    }
  }

  /// Returns a future that completes when the gateway of the called worker has no trainers, or no
  /// trainers any more.
  @Remote
  static Future<Void> outsideEnd() {
    Promise<Void> end = Promise.promise();
    WorkerObjects.find(Rpc.current(), ModelServer.class)
        .map(ModelServer::trainers)
        .ifPresentOrElse(outside -> awaitNone(outside, end), end::complete);
    return end.future();
  }

  private static void awaitNone(Members<String> outside, Promise<Void> end) {
    outside.onDeparture(_ -> endIfNone(outside, end));
    endIfNone(outside, end);
  }

  private static void endIfNone(Members<String> outside, Promise<Void> end) {
    if (outside.present().isEmpty()) {
      end.tryComplete();
    }
  }

  /// Always false: other servers have copies, and trainers that find no server fail by themselves.
  @Override
  protected boolean needs(WorkerInfo other) {
    return false;
  }

  /// The parameter server of this worker.
  private static final class Server implements WorkerExtension {
    private final ServerOptions options;
    private @Nullable ParameterServer server;

    private Server(ServerOptions options) {
      this.options = options;
    }

    @Override
    public Future<?> start(Rpc rpc) {
      server = ParameterServer.start(rpc, options);
      return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
      Objects.requireNonNull(server).close();
      return Future.succeededFuture();
    }
  }
}
