// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.LanguageModel;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.Policy;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.models.digits.Mnist;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.rnn.Hyperparameters;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tensorbus export`, and its files in plain ONNX Runtime.
@Tag("slow")
final class ExportCommandTest {
  private static final Offset<Float> ROUNDING = Offset.offset(1e-5f);
  private static final int BATCH = 500;

  /// The number of predictions that are compared.
  private static final int COMPARED = 2_000;

  private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", 1));
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();

  @TempDir private Path folder;

  /// Runs the command on these weights.
  private Path export(String model, Layer layer) {
    Path weights = folder.resolve("weights.safetensors");
    Path file = folder.resolve("model.onnx");
    layer.state().save(weights);
    int code =
        Main.commandLine(List.of())
            .execute("export", model, "--weights", weights.toString(), "--out", file.toString());
    assertThat(code).isZero();
    return file;
  }

  private Map<String, float[]> run(Path file, Map<String, Tensor> inputs) throws OrtException {
    Map<String, OnnxTensor> given = new HashMap<>();
    Map<String, float[]> outputs = new HashMap<>();
    try (OrtSession session = environment.createSession(file.toString())) {
      for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
        given.put(input.getKey(), onnx(input.getValue()));
      }
      try (OrtSession.Result result = session.run(given)) {
        for (var output : result) {
          FloatBuffer values = ((OnnxTensor) output.getValue()).getFloatBuffer();
          outputs.put(output.getKey(), new float[values.remaining()]);
          values.get(outputs.get(output.getKey()));
        }
      }
    }
    given.values().forEach(OnnxTensor::close);
    return outputs;
  }

  private OnnxTensor onnx(Tensor tensor) throws OrtException {
    long[] sizes = Arrays.stream(tensor.shape().toArray()).asLongStream().toArray();
    return tensor.dtype() == DType.INT64
        ? OnnxTensor.createTensor(environment, LongBuffer.wrap(tensor.longs()), sizes)
        : OnnxTensor.createTensor(environment, FloatBuffer.wrap(tensor.values()), sizes);
  }

  @Test
  void theConvNetNamesDrawnDigitsAsOurs() throws OrtException {
    assertSamePredictions(
        StrokeDigits.draw(2000, random), StrokeDigits.draw(BATCH, random.split()));
  }

  @Test
  void theConvNetNamesMnistsTestDigitsAsOurs() throws OrtException {
    Path mnist = sharedMnist();
    assertSamePredictions(Mnist.TRAIN.read(mnist), Mnist.TEST.read(mnist));
  }

  /// `shared/data/mnist` above this working directory.
  private static Path sharedMnist() {
    Path here = Path.of("").toAbsolutePath();
    Path mnist =
        Stream.iterate(here, above -> above != null, Path::getParent)
            .map(above -> above.resolve("shared/data/mnist"))
            .filter(Files::isDirectory)
            .findFirst()
            .orElse(here.resolve("no shared/data/mnist above"));
    assumeTrue(Files.isDirectory(mnist), () -> mnist + ": MNIST is not here");
    return mnist;
  }

  private void assertSamePredictions(Digits training, Digits test) throws OrtException {
    MnistNet net = new MnistNet(random);
    learn(net, training);
    net.eval();
    Path file = export("mnist", net);
    int same = 0;
    int compared = 0;
    for (Batch batch : DataLoader.of(test, BATCH, Batch::of)) {
      if (compared == COMPARED) {
        break;
      }
      compared += batch.size();
      float[] values = run(file, Map.of("images", batch.inputs())).get("log_probabilities");
      Tensor theirs = Tensor.of(Shape.of(batch.size(), 10), values);
      Tensor ours = NoGrad.call(() -> net.forward(batch.inputs()));
      long[] expected = ours.argmax(1).longs();
      long[] actual = theirs.argmax(1).longs();
      for (int i = 0; i < expected.length; i++) {
        same += actual[i] == expected[i] ? 1 : 0;
      }
    }
    assertThat(same).isEqualTo(compared).isPositive();
  }

  private void learn(MnistNet net, Digits digits) {
    Optimizer optimizer = new Sgd(0.03f).over(net.parameters());
    int steps = 0;
    for (Batch batch : DataLoader.of(digits, 32, Batch::of).shuffled(random.nextLong())) {
      if (++steps > 40) {
        break;
      }
      optimizer.zeroGrad();
      Losses.nllLoss(net.forward(batch.inputs()), batch.targets()).backward();
      optimizer.step();
    }
  }

  @Test
  void thePolicyScoresStatesAsOurs() throws OrtException {
    Policy policy = new Policy(random);
    policy.eval();
    Tensor states = Tensor.randn(random, 5, 4);
    assertThat(run(export("cartpole", policy), Map.of("states", states)).get("scores"))
        .containsExactly(policy.forward(states).values(), ROUNDING);
  }

  @Test
  void theLanguageModelScoresWordsAsOurs() throws OrtException {
    LanguageModel model = new LanguageModel(50, Hyperparameters.TUTORIAL.lstm(), random);
    model.eval();
    Tensor tokens = Tensor.of(Shape.of(35, 4), random.longs(35 * 4, 0, 50).toArray());
    Tensor zeros = model.zeros(4);
    Map<String, float[]> outputs =
        run(export("rnn", model), Map.of("tokens", tokens, "hidden", zeros, "cell", zeros));
    List<Tensor> expected = model.forward(tokens, zeros, zeros);
    assertThat(outputs.get("scores")).containsExactly(expected.get(0).values(), ROUNDING);
    assertThat(outputs.get("hidden_after")).containsExactly(expected.get(1).values(), ROUNDING);
    assertThat(outputs.get("cell_after")).containsExactly(expected.get(2).values(), ROUNDING);
  }

  @Test
  void weightsOfAnotherModelAreAMistake() {
    Path weights = folder.resolve("policy.safetensors");
    StateDict state = new Policy(random).state();
    state.save(weights);
    assertThat(
            Main.commandLine(List.of()).execute("export", "mnist", "--weights", weights.toString()))
        .isEqualTo(2);
  }
}
