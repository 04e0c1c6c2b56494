// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.log.LogsExtension;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageAnswers;
import dev.tensorbus.verticles.page.PageExtension;
import dev.tensorbus.verticles.profile.ProfileExtension;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.Stage;
import dev.tensorbus.verticles.progress.StallWatch;
import dev.tensorbus.verticles.tracing.OtlpTracing;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplication;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs one worker in this JVM, with the Vert.x launcher, until its work is done.
public final class WorkerApplication extends VertxApplication implements VertxApplicationHooks {
  private final RpcWorker worker;
  private final Cluster cluster;
  private final Optional<OtlpTracing> tracing;
  private final Optional<PageExtension> page;
  private @Nullable Throwable failure;

  private WorkerApplication(
      RpcWorker worker,
      Cluster cluster,
      Optional<OtlpTracing> tracing,
      Optional<PageExtension> page) {
    super(
        new String[] {"-cluster"},
        null, // this object implements the hooks
        false, // errors are reported by this class
        false);
    this.worker = worker;
    this.cluster = cluster;
    this.tracing = tracing;
    this.page = page;
  }

  /// Runs a worker and returns the exit code.
  public static int run(Program program, Role role, WorkerOptions options, Display display) {
    program.check().accept(options);
    // Must precede the loading of the first kernel, which reads the property.
    options.threads().ifPresent(n -> System.setProperty("tensorbus.threads", Integer.toString(n)));
    Cluster cluster = WorkerCluster.of(options.isFirst(), options);
    RoleBinding binding = program.binding(role, options);
    StallWatch stalls = new StallWatch(display::warn, statusCommand(options));
    PageAnswers answers = new PageAnswers(binding.role().label());
    Optional<MetricsExtension> metrics = MetricsExtension.of(options.isFirst(), options);
    Optional<ProfileExtension> profile = ProfileExtension.of(options, display::say);
    List<Progress> listeners = new ArrayList<>(List.of(display, stalls, answers.progress()));
    metrics.map(MetricsExtension::progress).ifPresent(listeners::add);
    profile.map(ProfileExtension::progress).ifPresent(listeners::add); // may block, so it is last
    RpcWorker worker = binding.worker(options, Progress.all(listeners));
    metrics.ifPresent(worker::attach);
    profile.ifPresent(worker::attach);
    worker.attach(stalls);
    worker.attach(new LogsExtension());
    worker.attach(answers);
    Optional<PageExtension> page =
        PageExtension.of(options.isFirst(), options, options.command(), metrics, display::say);
    page.ifPresent(worker::attach);
    cluster.requireMeetingPoint(); // blocks while the worker may already load its data
    return new WorkerApplication(worker, cluster, OtlpTracing.of(binding.role(), options), page)
        .run(display);
  }

  /// Returns a hint with the command that shows what a stalled world waits for.
  private static String statusCommand(WorkerOptions options) {
    return "for details run tensorbus status --master-addr %s --master-port %d"
        .formatted(options.masterAddr(), options.masterPort());
  }

  /// Runs the worker and returns the exit code. Does not close Vert.x, which ends with the JVM.
  private int run(Display display) {
    LastResort lastResort = LastResort.install();
    int code = work(display, lastResort);
    tracing.ifPresent(OtlpTracing::close);
    lastResort.exitCode(code);
    return code;
  }

  private int work(Display display, LastResort lastResort) {
    try {
      if (launch() != 0) {
        throw failure == null ? new IllegalStateException("Vert.x did not start in time") : failure;
      }
      worker.finished().await();
      if (page.isPresent()) {
        display.reach(Stage.FINISHED);
        page.get().stayOpen();
      }
      return 0;
    } catch (Throwable e) {
      if (lastResort.isStopping()) {
        return Failure.INTERRUPTED;
      }
      display.warn(Failure.line(e));
      return Failure.exitCode(e);
    }
  }

  @Override
  public VertxBuilder createVertxBuilder(VertxOptions vertxOptions) {
    VertxBuilder builder = cluster.builder(); // vertxOptions is unused: it has only defaults
    return tracing.map(traced -> traced.trace(builder)).orElse(builder);
  }

  @Override
  public Supplier<RpcWorker> verticleSupplier() {
    return () -> worker;
  }

  @Override
  public void afterFailureToStartVertx(HookContext context, @Nullable Throwable cause) {
    failure = cause == null ? null : cluster.explain(cause);
  }

  @Override
  public void afterFailureToDeployVerticle(HookContext context, @Nullable Throwable cause) {
    failure = cause;
  }
}
