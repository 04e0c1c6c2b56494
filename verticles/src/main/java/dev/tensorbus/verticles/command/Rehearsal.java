// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/// Does what every worker does at its start, with two of them in one JVM. The build runs it to
/// record the classes that this takes: from such an archive a worker starts in half the time.
final class Rehearsal {
  private static final String ADDRESS = "rehearsal";

  private Rehearsal() {}

  public static void main(String[] arguments) {
    Startup.begin();
    JsonObject given = new JsonObject().put(Setting.MASTER_PORT.key(), MasterPort.free());
    WorkerOptions options = WorkerOptions.of(given);
    Vertx server = join(Role.PARAMETER_SERVER, options);
    Vertx trainer = join(Role.TRAINER, options);
    server
        .eventBus()
        .consumer(ADDRESS, message -> message.reply(message.body()))
        .completion()
        .await();
    trainer.eventBus().request(ADDRESS, "hello").await();
    trainer.close().await();
    server.close().await();
    System.exit(0);
  }

  private static Vertx join(Role role, WorkerOptions options) {
    return WorkerCluster.of(role, options).start();
  }
}
