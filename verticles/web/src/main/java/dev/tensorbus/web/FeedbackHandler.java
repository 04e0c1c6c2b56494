// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Collects examples with their labels from requests, for a model that learns while it serves.
///
/// ```java
/// FeedbackHandler feedback = FeedbackHandler.create(Shape.of(784), 10);
/// router.post("/feedback").handler(feedback);
/// …
/// Batch batch = feedback.take(); // waits for requests, on the thread that trains
/// ```
///
/// A request such as `{"instances": [[0, 0.5, …], …], "labels": [7, …]}` is queued and answered
/// with 202. An error is `{"error": "…"}`, one line, with one of these codes:
///
/// - 400: the body does not have one valid label for each valid example;
/// - 413: the body exceeds [#setBodyLimit];
/// - 503: [#setQueueLimit] requests are queued; `Retry-After` says when to try again.
public final class FeedbackHandler implements Handler<RoutingContext> {
  private static final long BODY_LIMIT = 1 << 20;
  private static final int QUEUE_LIMIT = 64;

  private final Instances instances;
  private final Instances labels;
  private final int classes;
  private final BlockingQueue<Batch> queue = new LinkedBlockingQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private volatile long bodyLimit = BODY_LIMIT;
  private volatile int queueLimit = QUEUE_LIMIT;

  private FeedbackHandler(Shape example, Instances labels, int classes) {
    this.instances = new Instances("instances", example, DType.FLOAT32);
    this.labels = labels;
    this.classes = classes;
  }

  /// Creates a handler for examples that belong to classes.
  ///
  /// @param example the shape of one example
  /// @param classes the number of classes; a label is the index of a class
  public static FeedbackHandler create(Shape example, int classes) {
    return new FeedbackHandler(
        example, new Instances("labels", Shape.SCALAR, DType.INT64), classes);
  }

  /// Creates a handler for examples whose labels are float32 values.
  ///
  /// @param example the shape of one example
  /// @param label the shape of one label
  public static FeedbackHandler create(Shape example, Shape label) {
    return new FeedbackHandler(example, new Instances("labels", label, DType.FLOAT32), 0);
  }

  /// Sets the maximum number of bytes in a body (default: 1 MiB). A `BodyHandler` before this
  /// handler has a limit of its own.
  public FeedbackHandler setBodyLimit(long bytes) {
    bodyLimit = bytes;
    return this;
  }

  /// Sets the maximum number of queued requests (default: 64).
  public FeedbackHandler setQueueLimit(int requests) {
    queueLimit = requests;
    return this;
  }

  /// Waits for a request and returns the examples of all queued requests, in the order in which
  /// they were queued. Must not be called on an event loop.
  ///
  /// @throws CancellationException if this thread is interrupted
  public Batch take() {
    List<Batch> batches = new ArrayList<>();
    try {
      batches.add(queue.take());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for feedback");
    }
    queue.drainTo(batches);
    queued.addAndGet(-batches.size());
    return Batch.concatenate(batches);
  }

  @Override
  public void handle(RoutingContext context) {
    RequestBody.read(context, bodyLimit)
        .compose(body -> accept(context.vertx(), body))
        .onSuccess(v -> context.response().setStatusCode(202).end())
        .onFailure(error -> Answers.refuse(context.response(), Answers.refusal(error)));
  }

  private Future<Void> accept(Vertx vertx, Buffer body) {
    if (queued.incrementAndGet() > queueLimit) {
      queued.decrementAndGet();
      return Future.failedFuture(
          new HttpException(503, "%d requests are queued; try again later".formatted(queueLimit)));
    }
    return Answers.compute(vertx, "feedback", () -> queue.add(read(body)))
        .onFailure(error -> queued.decrementAndGet())
        .mapEmpty();
  }

  private Batch read(Buffer body) {
    Object json = Instances.decode(body);
    Batch batch = new Batch(instances.read(json), labels.read(json));
    if (classes > 0) {
      requireClasses(batch.targets());
    }
    return batch;
  }

  private void requireClasses(Tensor numbers) {
    for (long number : numbers.longs()) {
      if (number < 0 || number >= classes) {
        throw new HttpException(
            400,
            "a label is %d; expected the index of a class, from 0 to %d"
                .formatted(number, classes - 1));
      }
    }
  }
}
