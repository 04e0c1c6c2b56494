// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.rnn.Hyperparameters;
import dev.tensorbus.verticles.rnn.RnnModel;
import dev.tensorbus.verticles.rnn.RnnTraining;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.SplittableRandom;

/// Measures steps of the RNN program on random words, with the sizes of the PyTorch benchmark. The
/// warm-up, a fifth of the steps in the PyTorch benchmark, is prolonged until the JVMs have
/// compiled the code.
public final class RnnBench extends RpcWorker {
  public static final Program PROGRAM =
      new Program(
          "rnn",
          "steps of the RNN program",
          ProgramSettings.with(),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new RoleBinding(Role.TRAINER, RnnBench::new));

  /// A world with one thread per worker, as in the PyTorch benchmark, and one with two threads per
  /// worker, because the workers compute alternately.
  public static final List<JsonObject> WORLDS = List.of(new JsonObject(), world(2));

  /// The number of warm-up steps before small steps are measured. Code that runs once per step is
  /// fully compiled only after 5,000 steps: a step takes 2.9 ms after 900 steps, 1.2 ms after
  /// 3,200, 0.6 ms after 7,500 and 0.5 ms after 10,000. The 10,000 steps take 16 s.
  private static final int COMPILED = 10_000;

  /// The number of warm-up steps before large steps are measured. Large steps spend most of their
  /// time in kernels. The medians of one run are 97 ms for steps 11 to 100, 87 ms for 101 to 150
  /// and 85 ms for 151 to 200.
  private static final int LARGE_COMPILED = 150;
  private static final float DROPOUT = 0.5f;
  private static final double LEARNING_RATE = 0.05;

  private final int threads;
  private final Progress progress;
  private final SplittableRandom random = new SplittableRandom(1);

  private RnnBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.threads = options.threads().orElse(1);
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    if (threads == 1) {
      measure(rpc, new Steps("tutorial", 10, sizes(2, 3, 4, 3, 5), COMPILED, 240));
    }
    String name = threads == 1 ? "word_level" : "word_level.threads" + threads;
    measure(rpc, new Steps(name, 10_000, sizes(200, 200, 2, 20, 35), LARGE_COMPILED, 12));
  }

  private static JsonObject world(int threads) {
    return new JsonObject().put(Setting.THREADS.key(), threads);
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

  /// A measurement: `count` steps over a vocabulary of `tokens` words, after `warmup` steps.
  private record Steps(String name, int tokens, Hyperparameters sizes, int warmup, int count) {}

  private void measure(Rpc rpc, Steps steps) {
    String server = Role.PARAMETER_SERVER.label();
    Hyperparameters sizes = steps.sizes;
    try (RnnModel model = new RnnModel(rpc, server, steps.tokens, sizes, 1)) {
      Loop loop = new Loop(new RnnTraining(rpc, model, sizes), steps.tokens, sizes);
      Times times = Times.of(steps.warmup, steps.count, loop::step);
      String figure = "rnn." + steps.name + ".step";
      progress.say(new Figure(figure, times.median() * 1e3, "ms").toString());
    }
  }

  /// A loop of steps, each of which continues from the state of the previous one.
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
      Tensor labels = Tensor.of(random.longs(shape.elements(), 0, tokens).toArray());
      TokenBatch batch = new TokenBatch(Tensor.of(shape, inputs), labels);
      hidden = training.step(batch, hidden).hidden();
    }
  }
}
