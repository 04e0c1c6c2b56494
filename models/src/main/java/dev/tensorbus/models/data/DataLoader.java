// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Loads a data set in batches. Each iteration is one epoch. Like torch's `DataLoader`.
///
/// ```java
/// var loader = DataLoader.of(digits, 32, Batch::of).shuffled(1).shard(rank, trainers);
/// for (Batch batch : loader) {
///   train(batch.inputs(), batch.targets());
/// }
/// ```
///
/// Methods that change a setting return a copy. The copy starts at epoch 0 or, if [#resume] was
/// called and no iteration has started since, at the resumed position. Settings can be combined in
/// any order. Only one thread may iterate over a loader at a time.
///
/// @param <T> type of an example
/// @param <B> type of a batch
public final class DataLoader<T, B> implements Iterable<B> {
  private final Dataset<T> dataset;
  private final Function<? super List<T>, ? extends B> collate;
  private final Settings settings;
  private final Sampler sampler;
  private Position position = new Position(0, 0);
  private boolean isResumed;

  /// The position of a loader in its data.
  ///
  /// @param epoch number of the current epoch or, between epochs, of the next one, from 0
  /// @param batch number of batches already returned in that epoch
  public record Position(long epoch, int batch) {
    /// @throws IllegalArgumentException if `epoch` or `batch` is negative
    public Position {
      if (epoch < 0 || batch < 0) {
        throw new IllegalArgumentException(
            "epoch %d, batch %d; expected 0 or more".formatted(epoch, batch));
      }
    }
  }

  /// @param order chooses the examples of an epoch and their order; null for all examples in order
  /// @param share selects one worker's part of the order
  private record Settings(
      @Nullable Sampler order,
      UnaryOperator<Sampler> share,
      int batchSize,
      boolean dropsLast,
      int prefetch) {
    private Settings {
      if (batchSize < 1) {
        throw new IllegalArgumentException("batch size " + batchSize + " must be 1 or more");
      }
      if (prefetch < 0) {
        throw new IllegalArgumentException("prefetch " + prefetch + " must be 0 or more");
      }
    }
  }

  private DataLoader(
      Dataset<T> dataset, Function<? super List<T>, ? extends B> collate, Settings settings) {
    this.dataset = dataset;
    this.collate = collate;
    this.settings = settings;
    Sampler order = settings.order == null ? Sampler.sequential(dataset.size()) : settings.order;
    this.sampler = settings.share.apply(order);
  }

  /// Returns a loader of all examples, in order. The last batch may be smaller.
  ///
  /// @param collate combines examples into a batch
  /// @throws IllegalArgumentException if the batch size is below 1
  public static <T, B> DataLoader<T, B> of(
      Dataset<T> dataset, int batchSize, Function<? super List<T>, ? extends B> collate) {
    return new DataLoader<>(
        dataset, collate, new Settings(null, UnaryOperator.identity(), batchSize, false, 0));
  }

  /// Returns a loader of all rows of a batch, such as the inputs and targets of a whole data set,
  /// in order. The last batch may be smaller.
  ///
  /// @throws IllegalArgumentException if the batch size is below 1
  public static DataLoader<Integer, Batch> of(Batch examples, int batchSize) {
    Tensor inputs = examples.inputs().detach();
    Tensor targets = examples.targets().detach();
    return of(
        Dataset.of(examples.size(), index -> index),
        batchSize,
        rows -> {
          Tensor chosen = Tensor.ofLongs(rows.stream().mapToLong(Integer::longValue).toArray());
          return new Batch(inputs.indexSelect(0, chosen), targets.indexSelect(0, chosen));
        });
  }

  /// Returns a copy that shuffles the examples in each epoch. Equal seeds yield equal orders.
  ///
  /// @throws IllegalStateException if this method or [#with] has already chosen an order
  public DataLoader<T, B> shuffled(long seed) {
    return with(Sampler.shuffled(dataset.size(), seed));
  }

  /// Returns a copy that loads the examples that a sampler chooses, in the sampler's order.
  ///
  /// @throws IllegalStateException if this method or [#shuffled] has already chosen an order
  public DataLoader<T, B> with(Sampler chosen) {
    if (settings.order != null) {
      throw new IllegalStateException(
          "data loader: shuffled or with has already chosen an order; call only one of them");
    }
    return copy(
        new Settings(
            chosen, settings.share, settings.batchSize, settings.dropsLast, settings.prefetch));
  }

  /// Returns a copy that loads only one worker's part of the examples; see [Sampler#shard]. Splits
  /// the order that [#shuffled] or [#with] chooses, even if they are called later. A second call
  /// splits the worker's part again.
  ///
  /// @throws IllegalArgumentException if the rank is negative or not below the number of workers
  public DataLoader<T, B> shard(int rank, int workers) {
    UnaryOperator<Sampler> share = order -> settings.share.apply(order).shard(rank, workers);
    return copy(
        new Settings(
            settings.order, share, settings.batchSize, settings.dropsLast, settings.prefetch));
  }

  /// Returns a copy that drops the last batch if it is incomplete.
  public DataLoader<T, B> dropLast() {
    return copy(
        new Settings(settings.order, settings.share, settings.batchSize, true, settings.prefetch));
  }

  /// Returns a copy that loads up to `batches` batches ahead, each on a separate virtual thread.
  /// Useful if examples are read from files or decoded.
  public DataLoader<T, B> prefetch(int batches) {
    return copy(
        new Settings(
            settings.order, settings.share, settings.batchSize, settings.dropsLast, batches));
  }

  private DataLoader<T, B> copy(Settings changed) {
    var copy = new DataLoader<T, B>(dataset, collate, changed);
    if (isResumed) {
      copy.resume(position);
    }
    return copy;
  }

  /// Returns the number of batches in the current epoch or, between epochs, in the next one.
  public int size() {
    return batches(sampler.order(position.epoch()).length);
  }

  private int batches(int examples) {
    return settings.dropsLast
        ? examples / settings.batchSize
        : Math.ceilDiv(examples, settings.batchSize);
  }

  /// Returns the position of this loader, for a checkpoint.
  public Position position() {
    return position;
  }

  /// Resumes at the position of an earlier loader with the same settings.
  public void resume(Position from) {
    position = from;
    isResumed = true;
  }

  /// Starts the next epoch, even if the previous one was not finished. After [#resume], returns the
  /// remaining batches of the resumed epoch.
  @Override
  public Iterator<B> iterator() {
    if (position.batch() > 0 && !isResumed) {
      position = new Position(position.epoch() + 1, 0);
    }
    isResumed = false;
    return new Epoch(sampler.order(position.epoch()));
  }

  private final class Epoch implements Iterator<B> {
    private final long number = position.epoch();
    private final int[] order;
    private final int batches;
    private final Deque<FutureTask<B>> ahead = new ArrayDeque<>();
    private int asked = position.batch();
    private int taken = asked;

    private Epoch(int[] order) {
      this.order = order;
      this.batches = batches(order.length);
      endIfOver();
    }

    @Override
    public boolean hasNext() {
      return taken < batches;
    }

    @Override
    public B next() {
      if (!hasNext()) {
        throw new NoSuchElementException("this epoch is over; iterate again for the next epoch");
      }
      if (position.epoch() != number || position.batch() != taken) {
        throw new IllegalStateException(
            "another iteration over this loader has started; continue with that one");
      }
      while (ahead.size() <= settings.prefetch && asked < batches) {
        ahead.add(begin(asked++));
      }
      FutureTask<B> first = ahead.element();
      if (settings.prefetch == 0) {
        first.run();
      }
      return taken(first);
    }

    /// Waits for the batch of a task and returns it. If loading failed, throws the error, and the
    /// iteration continues after the failed batch, as in torch. If this thread is interrupted, the
    /// iteration continues with this batch.
    private B taken(FutureTask<B> task) {
      try {
        B batch = task.get();
        advance();
        return batch;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while loading a batch");
      } catch (ExecutionException e) {
        advance();
        throw unchecked(Objects.requireNonNull(e.getCause()));
      }
    }

    private void advance() {
      ahead.remove();
      taken++;
      position = new Position(number, taken);
      endIfOver();
    }

    private void endIfOver() {
      if (taken >= batches && position.epoch() == number) {
        position = new Position(number + 1, 0);
      }
    }

    private FutureTask<B> begin(int batch) {
      FutureTask<B> task = new FutureTask<>(() -> make(batch));
      if (settings.prefetch > 0) {
        Thread.ofVirtual().name("data-loader").start(task);
      }
      return task;
    }

    private B make(int batch) {
      int from = batch * settings.batchSize;
      int to = from + Math.min(settings.batchSize, order.length - from);
      List<T> examples =
          IntStream.of(Arrays.copyOfRange(order, from, to)).mapToObj(dataset::get).toList();
      return collate.apply(examples);
    }

    private static RuntimeException unchecked(Throwable cause) {
      return switch (cause) {
        case RuntimeException e -> e;
        case Error e -> throw e;
        default -> new IllegalStateException(cause); // our Callable throws no checked exceptions
      };
    }
  }
}
