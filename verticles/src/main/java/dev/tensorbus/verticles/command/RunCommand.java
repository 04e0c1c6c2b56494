// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.ListenHosts;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.application.ObservedWorker;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.profile.ProfileExtension;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.worker.MasterPort;
import dev.tensorbus.verticles.world.LocalWorld;
import dev.tensorbus.verticles.world.OnLoss;
import dev.tensorbus.verticles.world.UserWorld;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus run`: runs the user's main class in several processes, one per worker. Modelled on
/// torchrun.
@Command(
    name = "run",
    description =
        "Runs your class in several processes on this machine. The environment variables RANK,"
            + " WORLD_SIZE, MASTER_ADDR and MASTER_PORT tell each process which worker it is;"
            + " Rpc.run reads them.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  tensorbus run --workers 3 -cp target/classes my.Main --epochs 5",
      "",
      "Four workers on two machines, with rank 0 on 10.0.0.1:",
      "  tensorbus run --workers 2 --world-size 4 --master-addr 10.0.0.1 --tls DIR"
          + " -cp app.jar my.Main",
      "  tensorbus run --workers 2 --world-size 4 --first-rank 2 --master-addr 10.0.0.1"
          + " --tls DIR -cp app.jar my.Main"
    })
final class RunCommand implements Callable<Integer> {
  private static final int MOST = 1024;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "processes to start on this machine (default: 2)")
  private int workers = 2;

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description =
          "class path of your class and its libraries (default: the class path of tensorbus)")
  private @Nullable String classPath;

  @Option(
      names = "--restarts",
      paramLabel = "N",
      description = "maximum restarts of a failed worker, under its rank (default: 0)")
  private int restarts;

  @Option(
      names = "--on-loss",
      paramLabel = "ACTION",
      description =
          "when a worker is lost for good: stop the others and fail, or continue as long as rank 0"
              + " and another worker are left (default: stop)")
  private String onLoss = "stop";

  @Option(
      names = "--world-size",
      paramLabel = "N",
      description = "workers on all machines together (default: --workers)")
  private @Nullable Integer worldSize;

  @Option(
      names = "--first-rank",
      paramLabel = "R",
      description = "rank of the first worker on this machine (default: 0)")
  private int firstRank;

  @Option(
      names = "--master-addr",
      paramLabel = "HOST",
      description = "host of rank 0 (default: 127.0.0.1)")
  private String masterAddress = "127.0.0.1";

  @Option(
      names = "--master-port",
      paramLabel = "P",
      description = "port of rank 0 (default: 29500, or a free one for a local world)")
  private @Nullable Integer masterPort;

  @Option(
      names = "--ports",
      paramLabel = "FROM-TO",
      description = "ports to listen on; rank 0 uses the first (default: any free port)")
  private @Nullable String ports = System.getenv(Setting.PORTS.variable());

  @Option(
      names = "--advertised-addr",
      paramLabel = "HOST",
      description = "address that other workers connect to, if NAT changes it")
  private @Nullable String advertisedAddress = System.getenv(Setting.ADVERTISED_ADDR.variable());

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "maximum wait for the other workers and for the answer to a call")
  private @Nullable Integer timeout;

  @Option(
      names = "--heartbeat-timeout",
      paramLabel = "SECONDS",
      description = "silence after which a worker is considered dead")
  private @Nullable Integer heartbeatTimeout;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "minimum level of log lines: error, warning, info, debug (with stack traces) or trace"
              + " (default: info)")
  private String logLevel = Logs.given(Setting.LOG_LEVEL);

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "format of log lines: text, or json for one object per line (default: text)")
  private String logFormat = Logs.given(Setting.LOG_FORMAT);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MAIN",
      description = "the class with the main method")
  private @Nullable String main;

  @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "arguments of its main method")
  private List<String> arguments = new ArrayList<>();

  @Spec private @Nullable CommandSpec spec;

  private RunCommand() {}

  /// Returns the command, which passes options after the class name on to the user's class.
  static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new RunCommand());
    ObservedWorker.SETTINGS.all().forEach(one -> spec.addOption(ProgramCommand.option(one)));
    return new CommandLine(spec).setStopAtPositional(true);
  }

  @Override
  public Integer call() throws InterruptedException {
    int all = worldSize == null ? workers : worldSize;
    require("--workers", workers, 1, MOST);
    require("--world-size", all, workers, MOST);
    require("--first-rank", firstRank, 0, all - workers);
    require("--restarts", restarts, 0, Long.MAX_VALUE);
    if (ports != null) {
      Setting.PORTS.check("--ports", ports);
    }
    Setting.ON_LOSS.check("--on-loss", onLoss);
    check(Setting.TIMEOUT, timeout);
    check(Setting.HEARTBEAT_TIMEOUT, heartbeatTimeout);
    Setting.LOG_LEVEL.check("--log-level", logLevel);
    Setting.LOG_FORMAT.check("--log-format", logFormat);
    Logs.configure(logLevel, logFormat);
    JsonObject observation = observation();
    WorkerOptions shown = ObservedWorker.options(observation, Setting::option);
    ListenHosts.check(masterAddress, shown);
    List<String> words = new ArrayList<>(List.of(requireMain()));
    words.addAll(arguments);
    ProfileExtension.check(shown);
    Optional<GatewayOptions> _ = GatewaySettings.of(shown); // an error is reported once
    UserWorld world =
        new UserWorld(
            all,
            firstRank,
            workers,
            masterAddress,
            port(all),
            variables(observation),
            shown.optionalInt(Setting.DEBUG));
    Jvm here = Jvm.current();
    Jvm jvm = new Jvm(here.java(), fullClassPath(here.classPath()));
    try (Display display = Display.onThisScreen(shown)) {
      return LocalWorld.run(world.commands(jvm, words), restarts, OnLoss.of(onLoss), display);
    }
  }

  /// Returns the settings that show the world; options take precedence over environment variables.
  private JsonObject observation() {
    JsonObject values = ObservedWorker.SETTINGS.given(System.getenv());
    for (Setting setting : ObservedWorker.SETTINGS.all()) {
      String given =
          Objects.requireNonNull(spec)
              .commandLine()
              .getParseResult()
              .matchedOptionValue(setting.option(), null);
      if (given != null) {
        values.put(setting.key(), setting.read(given));
      }
    }
    return values;
  }

  private static void check(Setting setting, @Nullable Integer given) {
    if (given != null) {
      setting.check(setting.option(), given);
    }
  }

  private static void require(String name, int given, long least, long most) {
    SettingType range = new SettingType.Whole(least, most);
    if (!range.accepts(given)) {
      throw new UsageException(name + " is " + given + "; expected " + range.expected());
    }
  }

  private int port(int all) {
    if (masterPort != null) {
      require("--master-port", masterPort, 1, 65_535);
      return masterPort;
    }
    if (ports != null) {
      return PortRange.parse(ports).first();
    }
    return workers == all
        ? MasterPort.announceFree()
        : (int) Objects.requireNonNull(Setting.MASTER_PORT.standard());
  }

  /// Returns the workers' environment variables except `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and
  /// `MASTER_PORT`.
  ///
  /// @param observation the settings that show the world
  private Map<String, String> variables(JsonObject observation) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Setting.LOG_LEVEL.variable(), logLevel);
    variables.put(Setting.LOG_FORMAT.variable(), logFormat);
    put(variables, Setting.PORTS, ports);
    put(variables, Setting.ADVERTISED_ADDR, advertisedAddress);
    put(variables, Setting.TIMEOUT, timeout);
    put(variables, Setting.HEARTBEAT_TIMEOUT, heartbeatTimeout);
    put(variables, Setting.PROGRAM, main);
    for (Setting setting : ObservedWorker.SETTINGS.all()) {
      put(variables, setting, observation.getValue(setting.key()));
    }
    return variables;
  }

  private static void put(Map<String, String> variables, Setting setting, @Nullable Object given) {
    if (given != null) {
      variables.put(setting.variable(), given.toString());
    }
  }

  /// Returns the workers' class path. It starts with ours, because the JVM uses a class data
  /// archive only if the class path starts with the archived jar.
  private String fullClassPath(String ours) {
    return classPath == null ? ours : ours + File.pathSeparator + classPath;
  }

  /// Checks the main class here, so that an error is reported once, not with a stack trace by each
  /// worker.
  private String requireMain() {
    if (main == null) {
      throw new UsageException(
          "missing MAIN; expected a class with a main method, for example tensorbus run --workers 3"
              + " -cp target/classes my.Main");
    }
    try (var loader = new URLClassLoader(urls(), RunCommand.class.getClassLoader())) {
      Method _ = Class.forName(main, false, loader).getDeclaredMethod("main", String[].class);
      return main;
    } catch (ClassNotFoundException e) {
      throw new UsageException(
          "no class %s on the class path %s; set --class-path, for example target/classes"
              .formatted(main, classPath == null ? "of tensorbus" : classPath));
    } catch (NoSuchMethodException e) {
      throw new UsageException(
          main + " has no main(String[]); expected public static void main(String[] args)");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private URL[] urls() {
    return classPath == null
        ? new URL[0]
        : Arrays.stream(classPath.split(File.pathSeparator, -1))
            .map(entry -> url(Path.of(entry).toUri()))
            .toArray(URL[]::new);
  }

  private static URL url(URI place) {
    try {
      return place.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e); // cannot happen for a file URI
    }
  }
}
