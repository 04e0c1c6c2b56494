// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.ListenHosts;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.page.RunsPage;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus page`: shows the runs of a folder in a browser.
@Command(
    name = "page",
    description =
        "Shows the runs that --runs has kept, and files of --log, in a browser, and compares them."
            + " No world is needed.",
    mixinStandardHelpOptions = true)
final class PageCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      description = "folder of runs (default: runs)")
  private Path folder = Path.of("runs");

  @Option(names = "--page", paramLabel = "P", description = "port of the page (default: 8080)")
  private int port = 8_080;

  @Option(
      names = "--page-host",
      paramLabel = "HOST",
      description =
          "address that the page's port is bound to; other than loopback, the URL contains a token"
              + " (default: 127.0.0.1)")
  private String host = "127.0.0.1";

  @Option(
      names = "--trusted-network",
      description = "let --page-host be another address than 127.0.0.1; nothing is encrypted")
  private boolean isTrusted;

  @Spec private @Nullable CommandSpec spec;

  PageCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Setting.PAGE.check("--page", port);
    if (!isTrusted) {
      ListenHosts.check(Setting.PAGE_HOST, "--page-host", host, "");
    }
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          folder + " is not a folder; expected the folder of --runs, such as runs");
    }
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    RunsPage page = RunsPage.open(Vertx.vertx(), folder, host, port);
    page.skipped().forEach(out::println);
    out.println("runs of " + folder + ": " + page.url() + " stays up until Ctrl-C");
    out.flush();
    new CountDownLatch(1).await();
    return 0;
  }
}
