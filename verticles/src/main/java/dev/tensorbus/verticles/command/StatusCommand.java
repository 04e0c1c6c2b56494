// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.RendezvousException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `tensorbus status`: shows the workers of a running world and which worker waits for which.
@Command(
    name = "status",
    description =
        "Asks all workers of a world for their status, without disturbing them. Prints a table of"
            + " the workers and a tree of which worker waits for which, starting at the cause: the"
            + " call, its worker and its thread.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  @Option(
      names = "--master-addr",
      paramLabel = "HOST",
      description = "host of rank 0, or of any worker (default: 127.0.0.1)")
  private String masterAddr = "127.0.0.1";

  @Option(
      names = "--master-port",
      paramLabel = "P",
      description =
          "port of that worker (default: 29500); a local world logs its port at the start")
  private int masterPort = 29_500;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "maximum wait for the connection, and then for the answers (default: 60)")
  private int timeout = 60;

  @Option(
      names = "--tls",
      paramLabel = "DIR",
      description = "folder of certificates for a world that was started with this option")
  private @Nullable Path tls;

  @Option(
      names = "--trusted-network",
      description = "connect to a world that was started with this option")
  private boolean isTrusted;

  @Option(names = "--json", description = "print the complete answers as JSON")
  private boolean isJson;

  @Spec private @Nullable CommandSpec spec;

  StatusCommand() {}

  @Override
  public Integer call() {
    Setting.MASTER_PORT.check("--master-port", masterPort);
    Setting.TIMEOUT.check("--timeout", timeout);
    WorldStatus status = ask();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (isJson) {
      out.println(status.toJson().encodePrettily());
    } else {
      StatusReport.lines(status).forEach(out::println);
    }
    return 0;
  }

  private WorldStatus ask() {
    Duration limit = Duration.ofSeconds(timeout);
    Vertx visitor = visit(limit);
    try {
      return Rpc.worldStatus(visitor, limit).await();
    } finally {
      visitor.close().await();
    }
  }

  private Vertx visit(Duration limit) {
    try {
      return new Cluster(masterAddr, masterPort, false, limit)
          .withTls(tls)
          .withTrustedNetwork(isTrusted)
          .visit();
    } catch (RendezvousException e) {
      throw new RendezvousException(
          e.getMessage() + "; the launcher of a world logs its --master-port at the start", e);
    }
  }
}
