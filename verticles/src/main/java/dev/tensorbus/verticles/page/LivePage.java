// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageHandler.World;
import dev.tensorbus.verticles.profile.RequestedProfile;
import dev.tensorbus.verticles.progress.LostWorkers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The state of a world, for its page: polls all workers once a second and sends their reports to
/// the browsers, until it is closed or its worker has left.
public final class LivePage {
  private static final System.Logger LOG = System.getLogger(LivePage.class.getName());
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration SAVE_PERIOD = Duration.ofSeconds(30);

  /// The delay between the request and the snapshot, within which most answers arrive.
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final int LONGEST_ANSWER = 1 << 20;

  private final Rpc rpc;
  private final Vertx vertx;
  private final Optional<Runs> runs;
  private final Board board;
  private final EventStreams streams = new EventStreams();
  private final String address = PageAnswers.ANSWER + UUID.randomUUID();
  private volatile Map<String, String> manners = Map.of();
  private @Nullable MessageConsumer<Object> answers;
  private long timer;
  private long saving;

  /// @param about the constant properties of the run
  /// @param runs where the run is saved; empty without a folder
  LivePage(Rpc rpc, JsonObject about, Optional<Runs> runs) {
    this.rpc = rpc;
    this.runs = runs;
    vertx = rpc.vertx();
    board = new Board(about, this::lost, NanoClock.SYSTEM);
  }

  /// Returns the names of the lost workers, each with a description of how its process ended.
  private Map<String, String> lost() {
    Map<String, String> lost = new LinkedHashMap<>();
    rpc.status().lost().forEach(name -> lost.put(name, manners.getOrDefault(name, "")));
    return lost;
  }

  /// Opens a page for the server of an application. It ends when the worker leaves or, if a
  /// verticle calls this method, when that verticle is undeployed.
  ///
  /// @param path the path of the page
  /// @param command the command line of the run, which the page shows
  /// @throws IllegalArgumentException if the path does not begin with a slash
  public static Handler<HttpServerRequest> mount(
      Rpc rpc, String path, WorkerOptions options, String command) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "the path is \"" + path + "\"; expected one that begins with a slash, as /training");
    }
    String prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    LivePage page = new LivePage(rpc, RunProperties.of(options, command), Optional.empty());
    page.open().onFailure(error -> LOG.log(Level.WARNING, "the page gets no reports: {0}", error));
    return new PageHandler(
        rpc.vertx(),
        prefix,
        Access.ofApplication(),
        Optional.empty(),
        Optional.of(page.world(Optional.empty())));
  }

  /// Returns the part of a handler that shows this world.
  ///
  /// @param metrics the metrics of the page's worker, if the page serves them
  World world(Optional<MetricsExtension> metrics) {
    RequestedProfile profile = new RequestedProfile(vertx, rpc, board::mostSteps);
    return new World(streams, board, metrics, profile);
  }

  /// Starts to poll. The future completes when workers can answer.
  synchronized Future<?> open() {
    answers = vertx.eventBus().consumer(address, this::take);
    timer = vertx.setPeriodic(0, PERIOD.toMillis(), id -> tick());
    saving = vertx.setPeriodic(SAVE_PERIOD.toMillis(), id -> save());
    return answers.completion();
  }

  private void tick() {
    if (!rpc.workers().contains(rpc.self())) {
      close();
      return;
    }
    vertx.eventBus().publish(PageAnswers.QUESTION, address);
    if (!rpc.status().lost().isEmpty()) {
      vertx.executeBlocking(LostWorkers::read).onSuccess(read -> manners = read);
    }
    vertx.setTimer(
        PATIENCE.toMillis(),
        id -> {
          board.tick();
          send();
        });
  }

  private void take(Message<Object> answer) {
    if (answer.body() instanceof String text && text.length() <= LONGEST_ANSWER) {
      try {
        board.add(WorkerReport.fromJson(new JsonObject(text)));
      } catch (IllegalArgumentException | DecodeException | ClassCastException e) {
        LOG.log(Level.DEBUG, "ignored a malformed report to the page", e);
      }
    }
  }

  private void send() {
    if (!streams.isEmpty()) {
      streams.send(board.snapshot().encode());
    }
  }

  /// Saves the run, unless there is no folder for runs or no worker has reported a step.
  private Future<?> save() {
    if (runs.isEmpty() || board.mostSteps() == 0) {
      return Future.succeededFuture();
    }
    return vertx
        .executeBlocking(
            () -> {
              runs.get().save(Runs.fileOf(board.about()), board.lines());
              return null;
            })
        .onFailure(error -> LOG.log(Level.WARNING, "the run cannot be saved: {0}", error));
  }

  /// Freezes the page at its last state, and saves the run.
  synchronized Future<?> close() {
    if (answers == null) {
      return Future.succeededFuture();
    }
    vertx.cancelTimer(timer);
    vertx.cancelTimer(saving);
    board.end();
    send();
    return Future.join(answers.unregister(), save());
  }
}
