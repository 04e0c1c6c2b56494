// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import java.util.Arrays;
import java.util.List;

/// The operators that networks of any kind are made of: products, normalizations, losses.
final class Networks {
  private Networks() {}

  static void addTo(OperatorTable table) {
    table.learned("MatMul", call -> call.x().matmul(call.y()));
    table.learned("Gemm", Networks::gemm);
    table.add("Einsum", call -> Tensor.einsum(call.text("equation", ""), tensors(call)));
    normalizations(table);
    table.add("Dropout", Operator.Weights.NONE, Networks::dropout);
    table.add("NegativeLogLikelihoodLoss", call -> Losses.nllLoss(requireMean(call), call.y()));
    table.add("SoftmaxCrossEntropyLoss", call -> Losses.crossEntropy(requireMean(call), call.y()));
  }

  private static Tensor[] tensors(NodeCall call) {
    return call.all().toArray(Tensor[]::new);
  }

  private static Tensor gemm(NodeCall call) {
    boolean isTransposed = call.flag("transB", false);
    double alpha = call.real("alpha", 1);
    double beta = call.real("beta", 1);
    Tensor a = call.flag("transA", false) ? call.x().transpose(0, 1) : call.x();
    Tensor b = call.y();
    boolean isPlain = alpha == 1 && beta == 1 && isTransposed && call.has(2);
    if (isPlain && call.input(2).shape().equals(Shape.of(b.shape().size(0)))) {
      return a.linear(b, call.input(2));
    }
    Tensor product = a.matmul(isTransposed ? b.transpose(0, 1) : b);
    Tensor scaled = alpha == 1 ? product : product.scale(alpha);
    if (!call.has(2)) {
      return scaled;
    }
    Tensor c = call.input(2);
    return scaled.add(beta == 1 ? c : c.scale(beta));
  }

  private static void normalizations(OperatorTable table) {
    table.learned("BatchNormalization", Networks::batchNorm);
    table.learned("LayerNormalization", Networks::layerNorm);
    table.learned("GroupNormalization", Networks::groupNorm);
    table.learned("InstanceNormalization", Networks::instanceNorm);
    table.add("LpNormalization", Networks::lpNorm);
  }

  /// In training mode, normalizes with the statistics of the batch and updates the running ones, as
  /// the layer [dev.tensorbus.nn.normalization.BatchNorm] does. A frozen weight means evaluation
  /// mode, as in Keras, so that the features of a frozen model stay the same.
  private static Tensor batchNorm(NodeCall call) {
    double epsilon = call.real("epsilon", 1e-5);
    Tensor x = call.x();
    Tensor mean = call.input(3);
    Tensor variance = call.input(4);
    if (call.random() == null || !call.y().requiresGrad()) {
      return Normalizations.batchNorm(
          x, mean.detach(), variance.detach(), call.y(), call.input(2), epsilon);
    }
    Normalizations.Batch batch = Normalizations.batchNorm(x, call.y(), call.input(2), epsilon);
    double kept = call.real("momentum", 0.9);
    int count = x.shape().elements() / x.shape().size(1);
    move(mean, kept, batch.mean());
    move(variance, kept, batch.variance().scale(count / (count - 1.0)));
    return batch.values();
  }

  private static void move(Tensor running, double kept, Tensor batch) {
    running.replace(old -> NoGrad.call(() -> old.scale(kept).add(batch.scale(1 - kept))));
  }

  private static Tensor layerNorm(NodeCall call) {
    Tensor weight = call.y();
    Shape shape = call.x().shape();
    int axis = shape.axis("LayerNormalization", call.integer("axis", -1));
    int[] last = Arrays.copyOfRange(shape.toArray(), axis, shape.rank());
    Tensor bias = call.has(2) ? call.input(2) : Tensor.full(weight.shape(), weight.dtype(), 0);
    return Normalizations.layerNorm(
        call.x(), weight.reshape(last), bias.reshape(last), call.real("epsilon", 1e-5));
  }

  /// Until operator set 20, weight and bias have a value for each group.
  private static Tensor groupNorm(NodeCall call) {
    int groups = call.integer("num_groups", 1);
    int channels = call.x().shape().size(1);
    Tensor weight = perChannel(call.y(), channels);
    Tensor bias = perChannel(call.input(2), channels);
    return Normalizations.groupNorm(call.x(), groups, weight, bias, call.real("epsilon", 1e-5));
  }

  private static Tensor perChannel(Tensor values, int channels) {
    int groups = values.shape().elements();
    return values.reshape(groups, 1).expand(groups, channels / groups).reshape(channels);
  }

  private static Tensor instanceNorm(NodeCall call) {
    int channels = call.x().shape().size(1);
    return Normalizations.groupNorm(
        call.x(), channels, call.y(), call.input(2), call.real("epsilon", 1e-5));
  }

  private static Tensor lpNorm(NodeCall call) {
    int axis = call.integer("axis", -1);
    return divided(call.x(), call.x().vectorNorm(call.integer("p", 2), axis), axis);
  }

  /// Divides by norms, which do not have the axis; a norm of 0 leaves the values as they are.
  static Tensor divided(Tensor x, Tensor norms, int axis) {
    return x.div(norms.maskedFill(norms.eq(0), 1).unsqueeze(axis));
  }

  private static List<Tensor> dropout(NodeCall call) {
    Tensor x = call.x();
    float probability = (float) call.number(1, 0.5);
    return List.of(call.random() == null ? x : x.dropout(probability, call.random()));
  }

  private static Tensor requireMean(NodeCall call) {
    boolean isMean = call.text("reduction", "mean").equals("mean") && !call.has("ignore_index");
    if (!isMean || call.inputs().size() > 2 || call.x().shape().rank() != 2) {
      throw call.unsupported("anything but the mean of rows of scores");
    }
    return call.x();
  }
}
