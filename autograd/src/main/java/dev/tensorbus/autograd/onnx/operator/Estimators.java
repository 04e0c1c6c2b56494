// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Tensor;
import java.util.List;

/// The operators of classical estimators that have derivatives, as skl2onnx writes them. Their
/// coefficients are attributes, and so constants. Trees have no derivatives.
final class Estimators {
  private static final String DOMAIN = "ai.onnx.ml.";

  private Estimators() {}

  static void addTo(OperatorTable table) {
    table.add(DOMAIN + "Scaler", Estimators::scaler);
    table.add(DOMAIN + "Normalizer", Estimators::normalizer);
    table.add(DOMAIN + "LinearRegressor", Estimators::regressor);
    table.add(DOMAIN + "LinearClassifier", Operator.Weights.NONE, Estimators::classifier);
    table.add(DOMAIN + "ArrayFeatureExtractor", Estimators::features);
  }

  private static Tensor scaler(NodeCall call) {
    return call.x().sub(call.reals("offset")).mul(call.reals("scale"));
  }

  /// The largest value is signed, as in ONNX Runtime; scikit-learn takes the absolute values.
  private static Tensor normalizer(NodeCall call) {
    Tensor x = call.x();
    return switch (call.text("norm", "MAX")) {
      case "MAX" -> Networks.divided(x, x.max(1), 1);
      case "L1" -> Networks.divided(x, x.vectorNorm(1, 1), 1);
      case "L2" -> Networks.divided(x, x.vectorNorm(2, 1), 1);
      default -> throw call.unsupported("norm " + call.text("norm", ""));
    };
  }

  private static Tensor regressor(NodeCall call) {
    return scores(call, call.integer("targets", 1));
  }

  /// Returns `x · coefficientsᵀ + intercepts`.
  private static Tensor scores(NodeCall call, int targets) {
    Tensor coefficients = call.reals("coefficients").reshape(targets, -1);
    Tensor products = call.x().matmul(coefficients.transpose(0, 1));
    Tensor scores = call.has("intercepts") ? products.add(call.reals("intercepts")) : products;
    return switch (call.text("post_transform", "NONE")) {
      case "NONE" -> scores;
      case "SOFTMAX" -> scores.softmax(1);
      case "LOGISTIC" -> scores.sigmoid();
      default -> throw call.unsupported("post_transform " + call.text("post_transform", ""));
    };
  }

  /// Returns the classes with the highest scores, and the scores.
  private static List<Tensor> classifier(NodeCall call) {
    int[] classes = call.integers("classlabels_ints");
    if (classes.length == 0) {
      throw call.unsupported("a class that is not an integer");
    }
    int inputs = call.x().shape().size(1);
    Tensor scores = scores(call, call.list("coefficients").size() / Math.max(1, inputs));
    if (scores.shape().size(1) != classes.length) {
      throw call.unsupported("one score for two classes");
    }
    return List.of(numbers(classes).indexSelect(0, scores.argmax(1)), scores);
  }

  private static Tensor numbers(int... values) {
    long[] numbers = new long[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values[i];
    }
    return Tensor.ofLongs(numbers);
  }

  /// One axis is one row.
  private static Tensor features(NodeCall call) {
    Tensor rows = call.x().shape().rank() == 1 ? call.x().unsqueeze(0) : call.x();
    return rows.indexSelect(-1, call.y().reshape(-1));
  }
}
