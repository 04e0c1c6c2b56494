// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.LocalHttp;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageHandler.World;
import dev.tensorbus.verticles.profile.RequestedProfile;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Serves the live page of a world, on rank 0: polls all workers once a second and sends their
/// reports to the browsers. After the training, the page stays up, with the final state, until the
/// worker is undeployed.
public final class PageExtension implements WorkerExtension {
  private static final System.Logger LOG = System.getLogger(PageExtension.class.getName());
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration SAVE_PERIOD = Duration.ofSeconds(30);

  /// The delay between the request and the snapshot, within which most answers arrive.
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final int LONGEST_ANSWER = 1 << 20;

  private final WorkerOptions options;
  private final String command;
  private final MetricsExtension metrics;
  private final Consumer<String> say;
  private final Access access;
  private final Optional<Runs> runs;
  private final String address = PageAnswers.ANSWER + UUID.randomUUID();
  private final EventStreams streams = new EventStreams();
  private @Nullable Vertx vertx;
  private @Nullable Board board;
  private @Nullable MessageConsumer<Object> answers;
  private @Nullable HttpServer server;
  private long timer;
  private long saving;

  /// @param options the worker's options, with the address to listen on
  /// @param command the command line of the run
  /// @param metrics the metrics of this worker, which the page's port serves too
  /// @param say shows lines to the user
  PageExtension(
      WorkerOptions options, String command, MetricsExtension metrics, Consumer<String> say) {
    this.options = options;
    this.command = command;
    this.metrics = metrics;
    this.say = say;
    access = Access.at(options.word(Setting.PAGE_HOST));
    runs = options.path(Setting.RUNS).map(Runs::in);
  }

  /// Returns the page of a worker; empty unless the worker is rank 0 and the options enable the
  /// page. May block on a name lookup.
  ///
  /// @param isFirst whether the worker has rank 0
  /// @param command the command line of the run, which the page shows
  /// @param metrics the metrics of this worker, which the page's port serves too
  /// @param say shows lines to the user, such as the page's URL
  public static Optional<PageExtension> of(
      boolean isFirst,
      WorkerOptions options,
      String command,
      Optional<MetricsExtension> metrics,
      Consumer<String> say) {
    return isFirst && options.optionalInt(Setting.PAGE).isPresent()
        ? metrics.map(own -> new PageExtension(options, command, own, say))
        : Optional.empty();
  }

  @Override
  public synchronized Future<?> start(Vertx vertx, Rpc rpc) {
    Board own =
        new Board(RunProperties.of(options, command), () -> rpc.status().lost(), NanoClock.SYSTEM);
    this.vertx = vertx;
    board = own;
    answers = vertx.eventBus().consumer(address, answer -> take(own, answer));
    RequestedProfile profile = new RequestedProfile(vertx, rpc, own::mostSteps);
    PageHandler handler =
        new PageHandler(
            vertx,
            access,
            new PageFiles(),
            runs,
            Optional.of(new World(streams, own, metrics, profile)));
    return answers
        .completion()
        .compose(v -> listen(vertx, handler))
        .onSuccess(opened -> begin(vertx, own, opened));
  }

  private Future<HttpServer> listen(Vertx vertx, PageHandler handler) {
    int port = options.whole(Setting.PAGE);
    String host = options.word(Setting.PAGE_HOST);
    return LocalHttp.server(vertx, handler)
        .listen(port, host)
        .recover(error -> Future.failedFuture(cannotListen(host, port, error)));
  }

  private static IllegalStateException cannotListen(String host, int port, Throwable cause) {
    return new IllegalStateException(
        "the page cannot listen on port %d of %s: %s; set %s to a free port"
            .formatted(port, host, cause.getMessage(), Setting.PAGE.option()),
        cause);
  }

  private synchronized void begin(Vertx vertx, Board own, HttpServer opened) {
    server = opened;
    say.accept("page of this world: " + url());
    timer = vertx.setPeriodic(0, PERIOD.toMillis(), id -> tick(vertx, own));
    saving = vertx.setPeriodic(SAVE_PERIOD.toMillis(), id -> save(vertx, own));
  }

  /// Returns the page's URL, which has port 0 until the server has started.
  synchronized String url() {
    int port = server == null ? 0 : server.actualPort();
    return access.url(options.word(Setting.PAGE_HOST), port);
  }

  private void tick(Vertx vertx, Board own) {
    vertx.eventBus().publish(PageAnswers.QUESTION, address);
    vertx.setTimer(
        PATIENCE.toMillis(),
        id -> {
          own.tick();
          send(own);
        });
  }

  /// Saves the run, unless there is no folder for runs or no worker has reported a step.
  private Future<?> save(Vertx vertx, Board own) {
    if (runs.isEmpty() || own.mostSteps() == 0) {
      return Future.succeededFuture();
    }
    return vertx
        .executeBlocking(
            () -> {
              runs.get().save(Runs.fileOf(own.about()), own.lines());
              return null;
            })
        .onFailure(error -> LOG.log(Level.WARNING, "the run cannot be saved: {0}", error));
  }

  private void send(Board own) {
    if (!streams.isEmpty()) {
      streams.send(own.snapshot().encode());
    }
  }

  private static void take(Board own, Message<Object> answer) {
    if (answer.body() instanceof String text && text.length() <= LONGEST_ANSWER) {
      try {
        own.add(WorkerReport.fromJson(new JsonObject(text)));
      } catch (IllegalArgumentException | DecodeException | ClassCastException e) {
        LOG.log(Level.DEBUG, "ignored a malformed report to the page", e);
      }
    }
  }

  /// Freezes the page at its last state. The server closes when the worker is undeployed.
  @Override
  public synchronized Future<?> stop() {
    if (vertx == null || board == null || answers == null) {
      return Future.succeededFuture();
    }
    vertx.cancelTimer(timer);
    vertx.cancelTimer(saving);
    board.end();
    send(board);
    return Future.join(answers.unregister(), save(vertx, board));
  }

  /// Blocks until the JVM is terminated, so that the final state can be viewed.
  public void stayOpen() throws InterruptedException {
    sayThatItStays();
    new CountDownLatch(1).await();
  }

  /// Tells the user that the page shows the final state.
  public void sayThatItStays() {
    say.accept("the training has ended; " + url() + " stays up until Ctrl-C");
  }
}
