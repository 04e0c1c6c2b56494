// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Starts three workers in one JVM, makes a call between them, and lets one train a model of which
/// all are parameter servers. One server dies, the others take over, and it comes back. The
/// launcher of the fat jars (`dev.tensorbus.launch.ClassArchive`) runs this class to archive the
/// classes that it loads; with the archive, a worker starts in half the time, and the first death
/// of a server does not wait for classes. Two workers of a second world use certificates.
final class ClassArchiveRun {
  private static final int WORKERS = 3;

  private ClassArchiveRun() {}

  public static void main(String[] arguments) {
    int code = Failure.FAILED;
    try {
      code = run();
      encrypt();
    } catch (IOException | InterruptedException e) {
      System.err.println("without certificates: " + e.getMessage()); // a JRE has no keytool
    } finally {
      System.exit(code); // after a failure, the cluster's threads would keep the JVM alive
    }
  }

  /// Runs the workers and returns the exit code.
  private static int run() {
    Startup.begin();
    JsonObject given =
        new JsonObject()
            .put(Setting.WORLD_SIZE.key(), WORKERS)
            .put(Setting.MASTER_PORT.key(), FreePort.find());
    WorkerOptions options = WorkerOptions.of(ProgramSettings.with(), given);
    Rpc first = join(Role.PARAMETER_SERVER, 0, options);
    Rpc trainer = join(Role.TRAINER, 1, options);
    Vertx mortal = WorkerCluster.of(false, options).start();
    Rpc other = join(mortal, Role.TRAINER, 2, options);
    Future.all(first.ready(), trainer.ready(), other.ready()).await();
    Tensor answer = trainer.rpcSync(first.self().name(), Tensor::relu, Tensor.of(-1, 1));
    ServerOptions servers =
        ServerOptions.of(first.self().name(), trainer.self().name(), other.self().name());
    Stream.of(first, trainer, other).forEach(rpc -> ParameterServer.start(rpc, servers));
    Linear model = new Linear(2, 1, new SplittableRandom(1));
    StoreOptions store = StoreOptions.of(servers.servers().toArray(new String[0]));
    Rpc again;
    try (var parameters =
        ParameterStore.join(trainer, model, new Sgd(1).withMomentum(0.9), store)) {
      step(parameters, model);
      kill(mortal);
      step(parameters, model);
      again = join(Role.TRAINER, 2, options);
      ParameterServer.start(again, servers);
      step(parameters, model);
    }
    Future.all(first.shutdown(), trainer.shutdown(), again.shutdown()).await();
    return answer.sum().item() == 1 ? 0 : Failure.FAILED;
  }

  /// Ends a node's membership and connections without a goodbye, as if its process had died.
  private static void kill(Vertx node) {
    if (((VertxInternal) node).clusterManager() instanceof HazelcastClusterManager manager) {
      manager.getHazelcastInstance().getLifecycleService().terminate();
    }
    Future<Void> _ = node.close();
  }

  private static void encrypt() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tensorbus-classes");
    try {
      JsonObject given =
          new JsonObject()
              .put(Setting.TLS.key(), Authority.in(folder, 1).certify("worker").toString())
              .put(Setting.WORLD_SIZE.key(), 2)
              .put(Setting.MASTER_PORT.key(), FreePort.find());
      WorkerOptions options = WorkerOptions.of(ProgramSettings.with(), given);
      Rpc first = join(Role.PARAMETER_SERVER, 0, options);
      Rpc second = join(Role.TRAINER, 1, options);
      Future.all(first.ready(), second.ready()).await();
      second.rpcSync(first.self().name(), Tensor::relu, Tensor.of(-1, 1));
      Future.all(first.shutdown(), second.shutdown()).await();
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void step(ParameterStore<Linear> store, Linear model) {
    store.pull().await();
    model.forward(Tensor.zeros(1, 2)).sum().backward();
    store.push(1).await();
  }

  private static Rpc join(Role role, int rank, WorkerOptions options) {
    return join(WorkerCluster.of(role.isFirst(), options).start(), role, rank, options);
  }

  private static Rpc join(Vertx node, Role role, int rank, WorkerOptions options) {
    return Rpc.open(
            node, role.nameOf(rank), RpcOptions.worldSize(options.worldSize()).withRank(rank))
        .await();
  }
}
