// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import dev.tensorbus.grpc.gateway.GrpcGateway;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerObjects;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.metrics.WorkerHealth;
import dev.tensorbus.verticles.metrics.WorkerMeters;
import dev.tensorbus.verticles.page.LivePage;
import dev.tensorbus.verticles.page.PageAnswers;
import dev.tensorbus.verticles.page.PageExtension;
import dev.tensorbus.verticles.profile.ProfileExtension;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.Stage;
import dev.tensorbus.verticles.progress.StallWatch;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Shows a worker of a user's program, as `tensorbus train` shows those of its programs: page,
/// metrics, profile, and the progress in the terminal. The environment variables of the settings,
/// such as `TENSORBUS_PAGE`, turn them on; `tensorbus run --page 8080` sets these.
///
/// [Rpc#run] starts it as a service.
public final class ObservedWorker implements WorkerExtension {
  private static final Logger LOG = System.getLogger(ObservedWorker.class.getName());

  /// The settings that decide who can connect, and those that turn something on. The gateway is
  /// opened by the program itself, which has its model.
  public static final ProgramSettings SETTINGS =
      new ProgramSettings(
          Stream.of(Setting.SECURITY, Setting.OBSERVING, GatewaySettings.ALL)
              .flatMap(List::stream)
              .toList());

  /// These, and what is known about the worker.
  private static final ProgramSettings ALL =
      new ProgramSettings(
          Stream.concat(
                  Stream.of(
                      Setting.PROGRAM.withStandard("run"),
                      Setting.WORLD_SIZE.from(1),
                      Setting.RANK),
                  SETTINGS.all().stream())
              .toList());

  private final Map<String, String> variables;
  private final List<WorkerExtension> extensions = new ArrayList<>();
  private Optional<PageExtension> page = Optional.empty();
  private @Nullable Display display;
  private Runnable end = () -> {};

  /// Creates the extension of this process's worker.
  public ObservedWorker() {
    this(System.getenv());
  }

  ObservedWorker(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
  }

  /// Adds the metrics of a worker to an application's own registry, without a port. The JVM's
  /// metrics are not added, because an application that wants them has them already.
  public static void bindMetrics(Rpc rpc, MeterRegistry registry) {
    WorkerMeters.bindTo(registry, rpc);
  }

  /// Lets the [page][#page] of a worker of this world show this worker too. [Rpc#run] does so by
  /// itself.
  public static void show(Rpc rpc) {
    PageAnswers.show(rpc);
  }

  /// Returns a handler that serves the live page of a world in an application's own server, without
  /// a port. The application decides which requests it passes on. With Vert.x Web:
  ///
  /// ```java
  /// Handler<HttpServerRequest> page = ObservedWorker.page(rpc, "/training");
  /// router.route("/training/*").handler(context -> page.handle(context.request()));
  /// ```
  ///
  /// The page shows the workers that have called [#show], and this one. It keeps the last state
  /// when this worker has left. If a verticle calls this method, it freezes when that verticle is
  /// undeployed.
  ///
  /// @param path the path of the page, such as `/training`; `/` for a server that has nothing else
  /// @throws IllegalArgumentException if the path does not begin with a slash
  public static Handler<HttpServerRequest> page(Rpc rpc, String path) {
    show(rpc);
    return LivePage.mount(rpc, path, new ObservedWorker().options(rpc), command());
  }

  /// Returns a health check of a worker for `HealthChecks.register` of Vert.x: the worker is a
  /// member of its world and, unless the world is a dynamic group, knows a worker of each rank. The
  /// data of a failed check has the `cause`.
  public static Handler<Promise<Status>> health(Rpc rpc) {
    return promise ->
        promise.complete(
            WorkerHealth.problem(rpc)
                .map(problem -> Status.KO(new JsonObject().put("cause", problem)))
                .orElseGet(Status::OK));
  }

  private static String command() {
    return System.getProperty("sun.java.command", "");
  }

  /// Returns the options of a world whose workers are shown by these settings.
  ///
  /// @param values the settings, by [Setting#key()]
  /// @param name returns the name of a setting in error messages
  /// @throws dev.tensorbus.verticles.UsageException if a value is invalid
  public static WorkerOptions options(JsonObject values, Function<Setting, String> name) {
    return WorkerOptions.of(ALL, values, name);
  }

  /// Returns the options of a worker.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a variable has an invalid value
  private WorkerOptions options(Rpc rpc) {
    JsonObject given = SETTINGS.given(variables);
    int rank = rpc.self().id();
    given.put(Setting.RANK.key(), rank);
    given.put(Setting.WORLD_SIZE.key(), Math.max(rpc.worldSize(), rank + 1)); // 0 if dynamic
    String program = variables.get(Setting.PROGRAM.variable());
    if (program != null) {
      given.put(Setting.PROGRAM.key(), program);
    }
    Integer port = given.getInteger(Setting.METRICS.key());
    if (port != null && port > 0) { // the workers of a machine listen on consecutive ports
      int ofMachine = Integer.parseInt(variables.getOrDefault("LOCAL_RANK", "0"));
      given.put(Setting.METRICS.key(), port + ofMachine);
    }
    return options(given, Setting::variable);
  }

  @Override
  public Future<?> start(Rpc rpc) {
    WorkerOptions options = options(rpc);
    boolean isFirst = rpc.self().id() == 0;
    if (isFirst && GatewaySettings.isOn(options)) {
      end = () -> warnOfNoGateway(rpc);
    }
    Display screen = Display.onThisScreen(options);
    display = screen;
    rpc.ready().onSuccess(v -> screen.reach(Stage.READY));
    StallWatch stalls = new StallWatch(screen::warn, "for details run tensorbus status");
    Optional<MetricsExtension> metrics = MetricsExtension.of(isFirst, options);
    Optional<ProfileExtension> profile = ProfileExtension.of(options, screen::say);
    page = PageExtension.of(isFirst, options, command(), metrics, screen::say);
    rpc.onProgress(screen);
    rpc.onProgress(stalls);
    PageAnswers answers = PageAnswers.show(rpc);
    metrics.map(MetricsExtension::progress).ifPresent(rpc::onProgress);
    profile.map(ProfileExtension::progress).ifPresent(rpc::onProgress); // may block, so it is last
    extensions.add(stalls);
    metrics.ifPresent(extensions::add);
    profile.ifPresent(extensions::add);
    page.ifPresent(extensions::add);
    Future<?> started = Future.all(extensions.stream().map(one -> one.start(rpc)).toList());
    extensions.add(answers); // which have started
    return started;
  }

  private static void warnOfNoGateway(Rpc rpc) {
    if (WorkerObjects.find(rpc, GrpcGateway.class).isEmpty()) {
      LOG.log(
          Level.WARNING,
          "{0} has opened no gateway on --grpc-port; the program opens it, with"
              + " GatewayExtension.open on the worker that has the model",
          rpc.self().name());
    }
  }

  /// Stops everything but a page, which stays up with the final state until the JVM is terminated.
  @Override
  public Future<?> stop() {
    end.run();
    return stopExtensions()
        .compose(v -> page.isPresent() ? stay(page.get()) : Future.succeededFuture())
        .onComplete(v -> closeDisplay());
  }

  /// Stops everything, a page included.
  @Override
  public Future<?> abort() {
    return stopExtensions().onComplete(v -> closeDisplay());
  }

  private Future<?> stopExtensions() {
    return Future.join(extensions.stream().map(WorkerExtension::stop).toList());
  }

  private Future<?> stay(PageExtension page) {
    if (display != null) {
      display.reach(Stage.FINISHED);
    }
    page.sayThatItStays();
    return Promise.promise().future();
  }

  private void closeDisplay() {
    if (display != null) {
      display.close();
    }
  }
}
