// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Part;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Settings;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.rnn.Hyperparameters;
import dev.tensorbus.verticles.rnn.RnnModel;
import dev.tensorbus.verticles.rnn.RnnTraining;
import java.util.SplittableRandom;

/// Steps of the RNN program on random words, with the sizes that PyTorch is measured with; the
/// warm-up, a fifth of the steps there, is prolonged to [Times#COMPILATION].
final class RnnBench extends RpcWorker {
  static final Program PROGRAM =
      new Program(
          "rnn",
          "steps of the RNN program",
          Settings.with(),
          options -> {},
          new Part(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new Part(Role.TRAINER, RnnBench::new));

  private static final float DROPOUT = 0.5f;
  private static final double LEARNING_RATE = 0.05;

  private final Progress progress;
  private final SplittableRandom random = new SplittableRandom(1);

  private RnnBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    measure(rpc, "tutorial", 10, sizes(2, 3, 4, 3, 5), 300);
    measure(rpc, "word_level", 10_000, sizes(200, 200, 2, 20, 35), 15);
  }

  private static Hyperparameters sizes(int embedding, int hidden, int layers, int batch, int bptt) {
    return new Hyperparameters(
        embedding,
        hidden,
        layers,
        DROPOUT,
        batch,
        bptt,
        1,
        LEARNING_RATE,
        1,
        Double.POSITIVE_INFINITY);
  }

  private void measure(Rpc rpc, String name, int tokens, Hyperparameters sizes, int steps) {
    String server = Role.PARAMETER_SERVER.label();
    try (RnnModel model = new RnnModel(rpc, server, tokens, sizes, 1)) {
      Loop loop = new Loop(new RnnTraining(rpc, model, sizes), tokens, sizes);
      Times times = Times.of(steps / 5, steps - steps / 5, loop::step);
      String figure = "rnn." + name + ".step";
      progress.say(new Figure(figure, times.median() * 1e3, "ms").toString());
    }
  }

  /// Steps of which each goes on where the last one ended.
  private final class Loop {
    private final RnnTraining training;
    private final int tokens;
    private final Hyperparameters sizes;
    private Lstm.State hidden;

    Loop(RnnTraining training, int tokens, Hyperparameters sizes) {
      this.training = training;
      this.tokens = tokens;
      this.sizes = sizes;
      this.hidden = training.initHidden();
    }

    void step() {
      Shape shape = Shape.of(sizes.bptt(), sizes.batchSize());
      long[] inputs = random.longs(shape.elements(), 0, tokens).toArray();
      int[] labels = random.ints(shape.elements(), 0, tokens).toArray();
      TokenBatch batch = new TokenBatch(Tensor.ofStorage(shape, inputs), labels);
      hidden = training.step(batch, hidden).hidden();
    }
  }
}
