// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.models.digits.Mnist;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.mnist.MnistProgram;
import dev.tensorbus.verticles.mnist.Training;
import java.util.Iterator;
import java.util.Objects;
import java.util.SplittableRandom;

/// Measures training steps of the MNIST program without a warm-up, as the PyTorch benchmark does:
/// the figures include the steps during which the JVMs still compile code.
public final class MnistBench extends RpcWorker {
  /// The number of steps.
  public static final Setting STEPS =
      new Setting("steps", "N", new SettingType.Whole(1, 1_000_000), 200, "number of steps");

  public static final Program PROGRAM =
      new Program(
          "mnist",
          "steps of the MNIST program",
          ProgramSettings.with(
              Setting.DATA,
              Setting.BATCH_SIZE,
              Setting.LR,
              Setting.FORWARD,
              Setting.NUM_GPUS,
              Setting.CPU_FALLBACK,
              STEPS),
          MnistBench::check,
          MnistProgram.PROGRAM.first(),
          new RoleBinding(Role.TRAINER, MnistBench::new));

  private final WorkerOptions options;
  private final Progress progress;

  private MnistBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
  }

  private static void check(WorkerOptions options) {
    try {
      options.data().ifPresent(Mnist.TRAIN::read);
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  @Override
  protected void work(Rpc rpc) {
    int steps = options.whole(STEPS);
    SplittableRandom random = new SplittableRandom(options.seed());
    Digits digits =
        options
            .data()
            .map(Mnist.TRAIN::read)
            .orElseGet(() -> StrokeDigits.draw(steps * options.batchSize(), random.split()));
    DataLoader<Example, Batch> batches =
        DataLoader.of(digits, options.batchSize(), Batch::of).shuffled(options.seed());
    Training training =
        new Training(rpc, Role.PARAMETER_SERVER.label(), options.lr(), Progress.NONE);
    String name = "mnist.trainers1.rank" + rpc.self().id();
    Times times = new Times(steps);
    long begin = System.nanoTime();
    train(training, batches, steps, times);
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (training.finish()) {
      training.evaluated(); // allows the server to end
    }
    say(new Figure(name + ".step", times.median() * 1e3, "ms"));
    say(new Figure(name + ".throughput", steps * options.batchSize() / seconds, "samples/s"));
  }

  /// Trains for the given number of steps. The time of a step includes the creation of its batch.
  private static void train(
      Training training, DataLoader<Example, Batch> batches, int steps, Times times) {
    Iterator<Batch> pass = batches.iterator();
    for (int step = 0; step < steps; step++) {
      long start = System.nanoTime();
      if (!pass.hasNext()) {
        pass = batches.iterator();
      }
      training.step(pass.next());
      times.add(System.nanoTime() - start);
    }
  }

  private void say(Figure figure) {
    progress.say(figure.toString());
  }
}
