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
import java.util.stream.IntStream;

/// Deals out a data set in batches. Each iteration is one epoch. After torch's `DataLoader`.
///
/// ```java
/// var loader = DataLoader.of(digits, 32, Batch::of).shuffled(1).shard(rank, trainers);
/// for (Batch batch : loader) {
///   train(batch.inputs(), batch.labels());
/// }
/// ```
///
/// Each `with` and its like returns a changed copy, which begins with epoch 0. One thread iterates
/// over a loader at a time.
///
/// @param <T> an example
/// @param <B> a batch
public final class DataLoader<T, B> implements Iterable<B> {
  private final Dataset<T> dataset;
  private final Sampler sampler;
  private final int batchSize;
  private final Function<? super List<T>, ? extends B> collate;
  private final boolean dropsLast;
  private final int prefetch;
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

  private DataLoader(
      Dataset<T> dataset,
      Sampler sampler,
      int batchSize,
      Function<? super List<T>, ? extends B> collate,
      boolean dropsLast,
      int prefetch) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batch size " + batchSize + " must be 1 or more");
    }
    if (prefetch < 0) {
      throw new IllegalArgumentException("prefetch " + prefetch + " must be 0 or more");
    }
    this.dataset = dataset;
    this.sampler = sampler;
    this.batchSize = batchSize;
    this.collate = collate;
    this.dropsLast = dropsLast;
    this.prefetch = prefetch;
  }

  /// All examples in their order. The last batch holds what is left.
  ///
  /// @param collate makes a batch of its examples
  /// @throws IllegalArgumentException if the batch size is below 1
  public static <T, B> DataLoader<T, B> of(
      Dataset<T> dataset, int batchSize, Function<? super List<T>, ? extends B> collate) {
    return new DataLoader<>(
        dataset, Sampler.sequential(dataset.size()), batchSize, collate, false, 0);
  }

  /// The same in another order in each epoch. Equal seeds give equal orders.
  public DataLoader<T, B> shuffled(long seed) {
    return with(Sampler.shuffled(dataset.size(), seed));
  }

  /// The same for the examples that a sampler chooses.
  public DataLoader<T, B> with(Sampler chosen) {
    return new DataLoader<>(dataset, chosen, batchSize, collate, dropsLast, prefetch);
  }

  /// The same for one worker's share of the examples, see [Sampler#shard].
  public DataLoader<T, B> shard(int rank, int workers) {
    return with(sampler.shard(rank, workers));
  }

  /// The same without a last batch that is smaller than the others.
  public DataLoader<T, B> dropLast() {
    return new DataLoader<>(dataset, sampler, batchSize, collate, true, prefetch);
  }

  /// The same, but this many batches are made ahead, each on a virtual thread of its own. Worth it
  /// where examples are read from files or decoded.
  public DataLoader<T, B> prefetch(int batches) {
    return new DataLoader<>(dataset, sampler, batchSize, collate, dropsLast, batches);
  }

  /// How many batches the next epoch has.
  public int size() {
    int examples = sampler.order(position.epoch()).length;
    return dropsLast ? examples / batchSize : Math.ceilDiv(examples, batchSize);
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
      this.batches = dropsLast ? order.length / batchSize : Math.ceilDiv(order.length, batchSize);
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
      while (ahead.size() <= prefetch && asked < batches) {
        ahead.add(begin(asked++));
      }
      FutureTask<B> first = ahead.remove();
      if (prefetch == 0) {
        first.run();
      }
      B batch = result(first);
      taken++;
      position = new Position(number, taken);
      endIfOver();
      return batch;
    }

    private void endIfOver() {
      if (taken >= batches && position.epoch() == number) {
        position = new Position(number + 1, 0);
      }
    }

    private FutureTask<B> begin(int batch) {
      FutureTask<B> task = new FutureTask<>(() -> make(batch));
      if (prefetch > 0) {
        Thread.ofVirtual().name("data-loader").start(task);
      }
      return task;
    }

    private B make(int batch) {
      int from = batch * batchSize;
      int to = from + Math.min(batchSize, order.length - from);
      List<T> examples =
          IntStream.of(Arrays.copyOfRange(order, from, to)).mapToObj(dataset::get).toList();
      return collate.apply(examples);
    }

    private B result(FutureTask<B> task) {
      try {
        return task.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while a batch was made");
      } catch (ExecutionException e) {
        throw unchecked(Objects.requireNonNull(e.getCause()));
      }
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
