// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/// Starts two workers in one JVM and makes a call between them. The launcher of the fat jars
/// (`dev.tensorbus.launch.ClassArchive`) runs this class to archive the classes that it loads; with
/// the archive, a worker starts in half the time.
final class ClassArchiveRun {
  private static final int WORKERS = 2;

  private ClassArchiveRun() {}

  public static void main(String[] arguments) {
    int code = Failure.FAILED;
    try {
      code = run();
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
            .put(Setting.MASTER_PORT.key(), MasterPort.free());
    WorkerOptions options = WorkerOptions.of(ProgramSettings.with(), given);
    Rpc server = join(Role.PARAMETER_SERVER, options);
    Rpc trainer = join(Role.TRAINER, options);
    Future.all(server.ready(), trainer.ready()).await();
    Tensor answer = trainer.rpcSync(server.self().name(), Tensor::relu, Tensor.of(-1, 1));
    Future.all(server.shutdown(), trainer.shutdown()).await();
    return answer.sum().item() == 1 ? 0 : Failure.FAILED;
  }

  private static Rpc join(Role role, WorkerOptions options) {
    return Rpc.open(
            WorkerCluster.of(role, options).start(),
            role.nameOf(role.firstRank()),
            RpcOptions.worldSize(options.worldSize()).withRank(role.firstRank()))
        .await();
  }
}
