// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

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

/// Deals out a data set in batches. Each iteration is one epoch. After torch's `DataLoader`.
///
/// ```java
/// var loader = DataLoader.of(digits, 32, Batch::of).shuffled(1).shard(rank, trainers);
/// for (Batch batch : loader) {
///   train(batch.inputs(), batch.labels());
/// }
/// ```
///
/// Each method that changes a setting returns a changed copy, which begins with epoch 0 or where
/// [#resume] said. Settings combine in any order; one that would replace another is refused. One
/// thread iterates over a loader at a time.
///
/// @param <T> an example
/// @param <B> a batch
public final class DataLoader<T, B> implements Iterable<B> {
  private final Dataset<T> dataset;
  private final Function<? super List<T>, ? extends B> collate;
  private final Settings settings;
  private final Sampler sampler;
  private Position position = new Position(0, 0);
  private boolean isResumed;

  /// How far a loader has come.
  ///
  /// @param epoch the epoch that comes next, or has begun
  /// @param batch how many batches of that one were taken
  public record Position(long epoch, int batch) {
    /// @throws IllegalArgumentException if one of them is negative
    public Position {
      if (epoch < 0 || batch < 0) {
        throw new IllegalArgumentException(
            "epoch %d, batch %d; expected 0 or more".formatted(epoch, batch));
      }
    }
  }

  /// @param order the examples of an epoch, or null for all of them as they stand
  /// @param share takes one worker's share of the order
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

  /// All examples in their order. The last batch holds what is left.
  ///
  /// @param collate makes a batch of its examples
  /// @throws IllegalArgumentException if the batch size is below 1
  public static <T, B> DataLoader<T, B> of(
      Dataset<T> dataset, int batchSize, Function<? super List<T>, ? extends B> collate) {
    return new DataLoader<>(
        dataset, collate, new Settings(null, UnaryOperator.identity(), batchSize, false, 0));
  }

  /// Returns a copy with another order in each epoch. Equal seeds give equal orders.
  ///
  /// @throws IllegalStateException if an order was chosen before, by this method or by [#with]
  public DataLoader<T, B> shuffled(long seed) {
    return with(Sampler.shuffled(dataset.size(), seed));
  }

  /// Returns a copy with the examples that a sampler chooses.
  ///
  /// @throws IllegalStateException if an order was chosen before, by this method or by [#shuffled]
  public DataLoader<T, B> with(Sampler chosen) {
    if (settings.order != null) {
      throw new IllegalStateException(
          "data loader: shuffled or with has chosen an order, and another would replace it; call"
              + " one of them, once");
    }
    return copy(
        new Settings(
            chosen, settings.share, settings.batchSize, settings.dropsLast, settings.prefetch));
  }

  /// Returns a copy for one worker's share of the examples, see [Sampler#shard]. The share is taken
  /// of the order that [#shuffled] or [#with] chooses, whichever is called first. A second call
  /// takes a share of the share.
  ///
  /// @throws IllegalArgumentException if the rank is not below the number of workers
  public DataLoader<T, B> shard(int rank, int workers) {
    UnaryOperator<Sampler> share = order -> settings.share.apply(order).shard(rank, workers);
    return copy(
        new Settings(
            settings.order, share, settings.batchSize, settings.dropsLast, settings.prefetch));
  }

  /// Returns a copy without a last batch that is smaller than the others.
  public DataLoader<T, B> dropLast() {
    return copy(
        new Settings(settings.order, settings.share, settings.batchSize, true, settings.prefetch));
  }

  /// Returns a copy that makes this many batches ahead, each on a separate virtual thread. Worth it
  /// where examples are read from files or decoded.
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

  /// How many batches the next epoch has.
  public int size() {
    return batches(sampler.order(position.epoch()).length);
  }

  private int batches(int examples) {
    return settings.dropsLast
        ? examples / settings.batchSize
        : Math.ceilDiv(examples, settings.batchSize);
  }

  /// How far it has come, to be kept in a checkpoint.
  public Position position() {
    return position;
  }

  /// Goes on from a place that a loader of the same settings once had come to.
  public void resume(Position from) {
    position = from;
    isResumed = true;
  }

  /// The next epoch, whether or not the one before was gone through to its end. After [#resume],
  /// the rest of the epoch that it names.
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
        throw new NoSuchElementException("this epoch is over; iterate again for another");
      }
      if (position.epoch() != number || position.batch() != taken) {
        throw new IllegalStateException(
            "another iteration over this loader has begun; go on with that one");
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

    /// The batch of a task. If an example has thrown, the batch is lost and the epoch goes on, as
    /// with torch. After an interrupt, the next call takes the same batch.
    private B taken(FutureTask<B> task) {
      try {
        B batch = task.get();
        advance();
        return batch;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while a batch was made");
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
        default -> new IllegalStateException(cause); // a Callable of ours throws nothing else
      };
    }
  }
}
