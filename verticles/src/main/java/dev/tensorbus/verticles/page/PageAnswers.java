// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Answers the page's requests for reports on one worker, on an event loop. Before the first
/// request, only the progress is recorded.
public final class PageAnswers implements WorkerExtension {
  /// The address that requests are published to; the body of a request is the address for its
  /// answers.
  static final String QUESTION = "tensorbus.page.question";

  /// The prefix of the addresses for answers.
  static final String ANSWER = "tensorbus.page.answer.";

  private static final System.Logger LOG = System.getLogger(PageAnswers.class.getName());

  private final String role;
  private final NanoClock clock = NanoClock.SYSTEM;
  private final LogTail log = new LogTail();
  private final MethodTimes methods = new MethodTimes();
  private final ServerReading server = new ServerReading();
  private final WatchedProgress progress;
  private @Nullable Rpc rpc;
  private @Nullable MessageConsumer<Object> questions;
  private boolean isAsked;
  private long answeredNanos;
  private long waitedNanos;

  /// @param role what the page calls the worker's role, such as `trainer`
  public PageAnswers(String role) {
    this.role = role;
    progress = new WatchedProgress(log, clock);
  }

  /// Lets pages show a worker of a user's program. Calls after the first have no effect.
  public static PageAnswers show(Rpc rpc) {
    PageAnswers answers = rpc.shared(PageAnswers.class, () -> new PageAnswers("worker"));
    answers.observe(rpc);
    return answers;
  }

  private synchronized void observe(Rpc observed) {
    if (rpc == null) {
      observed.onProgress(progress);
      start(observed)
          .onFailure(
              error ->
                  LOG.log(Level.WARNING, "pages cannot show {0}: {1}", observed.self(), error));
    }
  }

  /// Returns the [Progress] that the worker must report to.
  public Progress progress() {
    return progress;
  }

  @Override
  public synchronized Future<?> start(Rpc rpc) {
    this.rpc = rpc;
    questions = rpc.vertx().eventBus().consumer(QUESTION, this::answer);
    return questions.completion();
  }

  private synchronized void answer(Message<Object> question) {
    Rpc asked = Objects.requireNonNull(rpc);
    if (!asked.workers().contains(asked.self())) { // it has left
      stop();
    } else if (question.body() instanceof String to && to.startsWith(ANSWER)) {
      begin(asked);
      asked.vertx().eventBus().send(to, report(asked).toJson().encode());
    }
  }

  private void begin(Rpc asked) {
    if (!isAsked) {
      isAsked = true;
      log.begin();
      asked.onCallEnded(methods);
      answeredNanos = clock.nanoTime();
    }
  }

  private WorkerReport report(Rpc asked) {
    return new WorkerReport(
        role,
        asked.status(),
        progress.report(),
        takeCallShare(),
        methods.toJson(),
        methods.calls(),
        server.next(asked),
        JvmUsage.now(),
        progress.takeDescriptions(),
        progress.takePoints(),
        log.take());
  }

  /// Returns the fraction of the time since the last answer that was spent waiting for calls.
  /// Concurrent calls add up, but the result is at most 1.
  private double takeCallShare() {
    long now = clock.nanoTime();
    long waited = methods.waitedNanos();
    double share = (waited - waitedNanos) / (double) Math.max(1, now - answeredNanos);
    answeredNanos = now;
    waitedNanos = waited;
    return Math.min(1, share);
  }

  @Override
  public synchronized Future<?> stop() {
    log.close();
    return questions == null ? Future.succeededFuture() : questions.unregister();
  }
}
