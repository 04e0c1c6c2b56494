// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.OnnxExport;
import dev.tensorbus.models.LanguageModel;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.Policy;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.verticles.rnn.Hyperparameters;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The models that `tensorbus export` supports.
final class OnnxModels {
  static final SortedMap<String, Maker> ALL =
      new TreeMap<>(
          Map.of(
              "mnist",
              OnnxModels::mnist,
              "cartpole",
              OnnxModels::cartpole,
              "rnn",
              OnnxModels::rnn));

  private static final int STEPS = 35;
  private static final int TOKENS = 1000;

  private OnnxModels() {}

  /// Creates a model for export.
  @FunctionalInterface
  interface Maker {
    /// Creates the model with the given weights, or with random ones if there are none.
    Export make(@Nullable StateDict weights, long seed);
  }

  /// A model and example inputs of the right shapes.
  record Export(OnnxExport export, List<Tensor> examples) {}

  private static Export mnist(@Nullable StateDict weights, long seed) {
    MnistNet net = new MnistNet(new SplittableRandom(seed));
    ready(net, weights);
    OnnxExport export =
        OnnxExport.of(net, net::forward)
            .withDynamicBatch(0)
            .withInputs("images")
            .withOutputs("log_probabilities");
    return new Export(export, List.of(Tensor.zeros(1, 1, 28, 28)));
  }

  private static Export cartpole(@Nullable StateDict weights, long seed) {
    Policy policy = new Policy(new SplittableRandom(seed));
    ready(policy, weights);
    OnnxExport export =
        OnnxExport.of(policy, policy::forward)
            .withDynamicBatch(0)
            .withInputs("states")
            .withOutputs("scores");
    return new Export(export, List.of(Tensor.zeros(1, CartPole.STATE_SIZE)));
  }

  private static Export rnn(@Nullable StateDict weights, long seed) {
    LanguageModel model =
        weights == null
            ? new LanguageModel(
                TOKENS, Hyperparameters.WORD_LEVEL.lstm(), new SplittableRandom(seed))
            : LanguageModel.of(weights);
    model.eval();
    OnnxExport export =
        OnnxExport.ofAll(model, in -> model.forward(in.get(0), in.get(1), in.get(2)))
            .withDynamicBatch(1)
            .withInputs("tokens", "hidden", "cell")
            .withOutputs("scores", "hidden_after", "cell_after");
    Tensor tokens = Tensor.full(Shape.of(STEPS, 1), DType.INT64, 0);
    return new Export(export, List.of(tokens, model.zeros(1), model.zeros(1)));
  }

  private static void ready(Layer layer, @Nullable StateDict weights) {
    if (weights != null) {
      layer.load(weights);
    }
    layer.eval();
  }
}
