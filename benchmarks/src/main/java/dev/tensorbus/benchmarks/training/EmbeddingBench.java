// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.optim.Adagrad;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Measures training steps of a small network, each of which looks up and updates 4,096 of the
/// 1,000,000 rows of an embedding table on another worker. Most lookups hit a small fraction of the
/// rows. The warm-up, ten steps in the PyTorch benchmark, is prolonged until the JVMs have compiled
/// the code.
public final class EmbeddingBench extends RpcWorker {
  public static final Program PROGRAM =
      new Program(
          "embedding",
          "steps over rows of a remote embedding table, for a minute",
          ProgramSettings.with(),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new RoleBinding(Role.TRAINER, EmbeddingBench::new));

  private static final int ROWS = 1_000_000;
  private static final int SIZE = 64;
  private static final int BATCH = 512;
  private static final int FIELDS = 8;
  private static final int WARM_UP = 500;
  private static final int STEPS = 300;
  private static final int BATCHES = 100;

  private final Progress progress;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Sequential head =
      new Sequential(new Linear(FIELDS * SIZE, 64, random), new Relu(), new Linear(64, 1, random));

  private EmbeddingBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    String server = Role.PARAMETER_SERVER.label();
    try (RemoteLayer<Table> table = new RemoteLayer<>(rpc.remote(server, Table::new, ROWS, SIZE))) {
      List<RRef<Tensor>> parameters =
          Stream.concat(
                  table.remoteParameters().stream(), head.parameters().stream().map(rpc::rref))
              .toList();
      DistributedOptimizer optimizer =
          DistributedOptimizer.create(rpc, new Adagrad(0.01), parameters);
      List<Batch> batches = Stream.generate(this::batch).limit(BATCHES).toList();
      AtomicInteger next = new AtomicInteger();
      Times times =
          Times.of(
              WARM_UP,
              STEPS,
              () -> step(rpc, table, optimizer, batches.get(next.getAndIncrement() % BATCHES)));
      String figure = "embedding.trainers1.%dx%d.step.p50".formatted(ROWS, SIZE);
      progress.say(new Figure(figure, times.median() * 1e3, "ms").toString());
    }
  }

  private record Batch(Tensor numbers, Tensor wanted) {}

  private Batch batch() {
    long[] numbers = new long[BATCH * FIELDS];
    float[] wanted = new float[BATCH];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (long) (Math.pow(random.nextDouble(), 4) * ROWS);
      wanted[i / FIELDS] = (wanted[i / FIELDS] + numbers[i]) % 2;
    }
    return new Batch(
        Tensor.of(Shape.of(BATCH, FIELDS), numbers), Tensor.of(Shape.of(BATCH, 1), wanted));
  }

  private void step(
      Rpc rpc, RemoteLayer<Table> table, DistributedOptimizer optimizer, Batch batch) {
    try (var context = DistAutograd.context(rpc)) {
      Tensor rows = table.rpcSync(Table::forward, batch.numbers).reshape(BATCH, FIELDS * SIZE);
      context.backward(new BceWithLogitsLoss().forward(head.forward(rows), batch.wanted));
      optimizer.step(context);
    }
  }
}
