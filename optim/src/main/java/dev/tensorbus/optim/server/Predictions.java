// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Queues calls for predictions and computes them in batches, one batch after another, on a
/// platform thread that runs until [#close]. Thread-safe.
public final class Predictions implements AutoCloseable {
  private final Predictor predictor;
  private final Supplier<Version> versions;
  private final Batching batching;
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private @Nullable Waiting held;
  private long loaded;
  private volatile boolean isClosed;

  /// Starts the thread.
  ///
  /// @param versions returns the current version of the model. It is called before each batch, so
  ///     that all rows of a batch, and thus all rows of a call, are computed with one version
  public Predictions(Predictor predictor, Supplier<Version> versions, Batching batching) {
    this.predictor = predictor;
    this.versions = versions;
    this.batching = batching;
    this.thread = Threads.system().startPlatform("predictions", this::run);
  }

  /// The predictions for one call.
  ///
  /// @param rows one row per example
  /// @param version the version of the parameters with which the predictions were computed
  public record Prediction(Tensor rows, long version) {}

  /// A queued call: its examples, and the future of its predictions.
  private record Waiting(Tensor examples, CompletableFuture<Prediction> answer) {
    int rows() {
      return examples.shape().size(0);
    }
  }

  /// Returns a future of the predictions for examples `[n, …]`. If the future is cancelled while
  /// the call is queued, nothing is computed for it.
  ///
  /// @throws ModelServerException if the examples do not have the model's shape
  public CompletableFuture<Prediction> predict(Tensor examples) {
    requireExamples(examples);
    CompletableFuture<Prediction> answer = new CompletableFuture<>();
    queue.add(new Waiting(examples, answer));
    if (isClosed) {
      answer.completeExceptionally(closing());
    }
    return answer;
  }

  private void requireExamples(Tensor examples) {
    int[] sizes = examples.shape().toArray();
    int[] example = predictor.example().toArray();
    boolean fits =
        sizes.length == example.length + 1
            && sizes[0] > 0
            && Arrays.equals(sizes, 1, sizes.length, example, 0, example.length);
    if (!fits || examples.dtype() != predictor.dtype()) {
      throw new ModelServerException(
          ModelServerException.Reason.BAD_EXAMPLES,
          "examples are %s %s; expected %s [n, %s with n at least 1"
              .formatted(
                  examples.dtype(),
                  examples.shape(),
                  predictor.dtype(),
                  predictor.example().toString().substring(1)));
    }
  }

  private void run() {
    try {
      while (true) {
        answer(batch());
      }
    } catch (InterruptedException e) {
      isClosed = true; // set before the queue is drained, so that late callers see it
      refuse(queue);
    }
  }

  private static void refuse(Collection<Waiting> all) {
    all.forEach(waiting -> waiting.answer().completeExceptionally(closing()));
  }

  private static ModelServerException closing() {
    return new ModelServerException(
        ModelServerException.Reason.CLOSING, "this server is shutting down; call another server");
  }

  /// Waits for a call. Returns it together with the calls that arrive within the delay, up to the
  /// maximum number of rows.
  private List<Waiting> batch() throws InterruptedException {
    List<Waiting> batch = new ArrayList<>();
    Waiting next = held == null ? queue.take() : held;
    held = null;
    int rows = 0;
    Deadline end = Deadline.after(batching.delay(), NanoClock.SYSTEM);
    while (next != null) {
      if (!next.answer().isDone()) {
        if (!batch.isEmpty() && rows + next.rows() > batching.maxRows()) {
          held = next;
          return batch;
        }
        batch.add(next);
        rows += next.rows();
      }
      next = rows < batching.maxRows() ? poll(end, batch) : null;
    }
    return batch;
  }

  private @Nullable Waiting poll(Deadline end, List<Waiting> batch) throws InterruptedException {
    try {
      return queue.poll(end.nanosLeft(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      refuse(batch);
      throw e;
    }
  }

  private void answer(List<Waiting> batch) {
    try {
      if (!batch.isEmpty()) {
        compute(batch);
      }
    } catch (RuntimeException | Error e) {
      if (batch.size() == 1) {
        batch.getFirst().answer().completeExceptionally(e);
      } else { // only the calls whose own examples cause an error fail
        batch.forEach(waiting -> answer(List.of(waiting)));
      }
    }
  }

  private void compute(List<Waiting> batch) {
    long version = load();
    Tensor examples =
        batch.size() == 1
            ? batch.getFirst().examples()
            : Tensor.concatenate(batch.stream().map(Waiting::examples).toList(), 0);
    Tensor rows = NoGrad.call(() -> predictor.forward().apply(examples));
    int from = 0;
    for (Waiting waiting : batch) {
      int to = from + waiting.rows();
      Tensor own = batch.size() == 1 ? rows : rows.slice(0, from, to);
      waiting.answer().complete(new Prediction(own, version));
      from = to;
    }
  }

  /// Loads the model's current values into `predictor.twin()`, which shares their arrays.
  /// Returns their version.
  private long load() {
    Version now = versions.get();
    if (now.number() != loaded) {
      predictor.twin().load(now.state());
      loaded = now.number();
    }
    return loaded;
  }

  /// Returns the shape of one example.
  public Shape example() {
    return predictor.example();
  }

  /// Stops the thread and refuses the calls that are still queued.
  @Override
  public void close() {
    thread.interrupt();
  }
}
