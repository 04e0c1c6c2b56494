// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Carries out [EmulatedRun]s: many workers in one process, each with a trainer that sleeps.
final class EmulatedTrainers {
  private final List<Rpc> workers = Collections.synchronizedList(new ArrayList<>());
  private String[] servers = new String[0];
  private int runs;

  private EmulatedTrainers() {}

  /// Starts the workers.
  ///
  /// @param args the world's, the servers, and the number of workers
  public static void main(String[] args) {
    WorldMember member = WorldMember.join(args);
    EmulatedTrainers trainers = member.open().shared(EmulatedTrainers.class, EmulatedTrainers::new);
    trainers.servers = member.arguments().get(0).split(",", -1);
    int count = Integer.parseInt(member.arguments().get(1));
    for (int i = 1; i <= count; i++) {
      trainers.workers.add(member.open("trainer" + i, i));
    }
    WorldMember.awaitEnd();
  }

  /// Returns the number of workers that have joined.
  @Remote
  static int workers() {
    return Rpc.current().shared(EmulatedTrainers.class, EmulatedTrainers::new).workers.size();
  }

  /// Returns the number of bytes that all trainers have sent.
  @Remote
  static long sentBytes() {
    return Rpc.current().shared(EmulatedTrainers.class, EmulatedTrainers::new).workers.stream()
        .mapToLong(WorldMember::sentBytes)
        .sum();
  }

  /// Carries out a run. Returns idle share, throughput and pushes per second.
  @Remote
  static List<Double> run(String words) throws InterruptedException {
    EmulatedTrainers here = Rpc.current().shared(EmulatedTrainers.class, EmulatedTrainers::new);
    EmulatedRun.Result result = here.run(EmulatedRun.of(words));
    return List.of(result.idle(), result.throughput(), result.pushes());
  }

  private EmulatedRun.Result run(EmulatedRun run) throws InterruptedException {
    StoreOptions options =
        StoreOptions.of(servers)
            .withGroup("run" + runs++)
            .withTrainers(run.trainers())
            .withConsistency(run.consistency().toString());
    CountDownLatch joined = new CountDownLatch(run.trainers());
    List<Trainer> trainers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < run.trainers(); i++) {
      Trainer trainer = new Trainer(run, i, workers.get(i), options, joined);
      trainers.add(trainer);
      threads.add(Thread.ofVirtual().start(trainer));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Trainer trainer : trainers) {
      if (trainer.failure != null) {
        throw new IllegalStateException("a trainer failed", trainer.failure);
      }
    }
    return result(run, trainers);
  }

  private static EmulatedRun.Result result(EmulatedRun run, List<Trainer> trainers) {
    double busy = trainers.stream().mapToLong(t -> t.busy).sum();
    double all = trainers.stream().mapToLong(t -> t.elapsed).sum();
    double pushes = trainers.stream().mapToDouble(t -> t.pushes / (t.elapsed / 1e9)).sum();
    Trainer last = trainers.getLast(); // the first one may be slow on purpose
    double perTrainer = last.steps * run.contributions() * run.stepsPerPush() / run.trainers();
    double throughput = perTrainer * run.step().toNanos() / last.elapsed;
    return new EmulatedRun.Result(1 - busy / all, throughput, pushes);
  }

  /// A model whose first value counts the steps.
  private static final class Counter extends Layer {
    private final Tensor values;

    private Counter(int size) {
      values = parameter("values", Shape.of(size, 1), new float[size]);
    }
  }

  /// One trainer.
  private static final class Trainer implements Runnable {
    private final EmulatedRun run;
    private final int index;
    private final Rpc rpc;
    private final StoreOptions options;
    private final CountDownLatch joined;
    private long busy;
    private long elapsed;
    private long pushes;
    private float steps;
    private @Nullable Exception failure;

    private Trainer(
        EmulatedRun run, int index, Rpc rpc, StoreOptions options, CountDownLatch joined) {
      this.run = run;
      this.index = index;
      this.rpc = rpc;
      this.options = options;
      this.joined = joined;
    }

    @Override
    public void run() {
      RandomGenerator random = new SplittableRandom(run.seed() * 1000 + index);
      Counter model = new Counter(run.values());
      try (var store = ParameterStore.join(rpc, model, new Sgd(1), options)) {
        joined.countDown();
        joined.await();
        train(store, random);
        steps = model.values.values()[0];
      } catch (RuntimeException | InterruptedException e) {
        failure = e;
        joined.countDown(); // for which the others may wait
      }
    }

    private void train(ParameterStore<Counter> store, RandomGenerator random)
        throws InterruptedException {
      long start = System.nanoTime();
      Tensor gradient = Tensor.full(store.model().values.shape(), store.model().values.dtype(), -1);
      while (System.nanoTime() - start < run.duration().toNanos()) {
        store.pull().await();
        CountDownLatch isTaken = new CountDownLatch(1);
        if (run.givesUp()) {
          Future<Void> _ = store.nextStep().onComplete(_ -> isTaken.countDown());
        }
        if (compute(random, isTaken)) {
          store.model().values.setGrad(gradient);
        }
        store.push(1).await();
        pushes++;
      }
      store.pull().await();
      elapsed = System.nanoTime() - start;
    }

    /// Computes until the end, or until the step has been taken. Returns whether it has come to the
    /// end.
    private boolean compute(RandomGenerator random, CountDownLatch isTaken)
        throws InterruptedException {
      double length = 0;
      for (int i = 0; i < run.stepsPerPush(); i++) {
        length += run.times().next(index, random);
      }
      long start = System.nanoTime();
      long nanos = (long) (length * run.step().toNanos());
      boolean isGivenUp = isTaken.await(nanos, TimeUnit.NANOSECONDS);
      busy += System.nanoTime() - start;
      return !isGivenUp;
    }
  }
}
