// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.verticles.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus certificates`: creates the certificates of a world.
@Command(
    name = "certificates",
    description =
        "Creates an authority in DIR, if there is none, and a folder DIR/NAME for each name: its"
            + " certificate tls.crt, its private key tls.key and the authority's certificate"
            + " ca.crt. Copy each folder to the machine of its workers, and start them with --tls."
            + " Keep DIR/authority.p12 to yourself: whoever has it can join the world.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  tensorbus certificates certs --workers server,trainers",
      "  tensorbus train mnist --rank 0 --master-addr 10.0.0.1 --tls certs/server"
    })
final class CertificatesCommand implements Callable<Integer> {
  @Parameters(index = "0", arity = "0..1", paramLabel = "DIR", description = "folder to write to")
  private @Nullable Path folder;

  @Option(
      names = "--workers",
      paramLabel = "NAME",
      split = ",",
      description = "names of workers, roles or machines, separated by commas")
  private List<String> workers = List.of();

  @Option(
      names = "--clients",
      paramLabel = "NAME",
      split = ",",
      description =
          "names of others, such as a Prometheus server, which may read metrics and cannot join")
  private List<String> clients = List.of();

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "days until the certificates expire (default: 365)")
  private int days = 365;

  @Spec private @Nullable CommandSpec spec;

  CertificatesCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path given = folder;
    if (given == null || (workers.isEmpty() && clients.isEmpty())) {
      throw new UsageException(
          "missing %s; expected, for example, tensorbus certificates certs --workers server,trainers"
              .formatted(given == null ? "DIR" : "--workers or --clients"));
    }
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try {
      Authority authority = Authority.in(given, days);
      for (String name : workers) {
        out.println("created " + authority.certify(name));
      }
      for (String name : clients) {
        out.println("created " + authority.certifyClient(name));
      }
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UsageException(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }
}
