// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import org.jspecify.annotations.Nullable;

/// Elementwise binary cross-entropy. The inputs are the predicted and the target probabilities.
public record BinaryCrossEntropy() implements Operation {
  private static final double LEAST_LOG = -100;

  /// The minimum of `p * (1 - p)` as a divisor in the derivative, as in torch.
  private static final double LEAST_PRODUCT = 1e-12;

  /// Returns the losses of [dev.tensorbus.nn.loss.BceLoss] before reduction.
  public static Tensor of(Tensor probabilities, Tensor wanted) {
    Compute.requireOneType("bceLoss", probabilities, wanted);
    for (double p : Compute.doubles(probabilities)) {
      if (!(p >= 0 && p <= 1)) {
        throw new IllegalArgumentException(
            "bceLoss: %s is not a probability; expected [0, 1], as returned by sigmoid(); for other"
                    .formatted(p)
                + " values use BceWithLogitsLoss");
      }
    }
    return new BinaryCrossEntropy().apply(probabilities, wanted);
  }

  @Override
  public String name() {
    return "bceLoss";
  }

  @Override
  public Tensor value(Tensor... inputs) {
    double[] p = Compute.doubles(inputs[0]);
    double[] yes = Compute.doubles(inputs[1]);
    double[] losses = new double[p.length];
    for (int i = 0; i < losses.length; i++) {
      losses[i] = (yes[i] - 1) * log(1 - p[i]) - yes[i] * log(p[i]);
    }
    return Compute.rounded(inputs[0], inputs[0].shape(), losses);
  }

  private static double log(double p) {
    return Math.max(Math.log(p), LEAST_LOG);
  }

  @Override
  public Derivative derivative(Application of) {
    return new Saved(of.input(0), of.input(1));
  }

  @Override
  public OnnxValue onnx(OnnxValue.Input... inputs) {
    OnnxValue.Input p = inputs[0];
    OnnxValue one = p.number(1);
    OnnxValue ofNo = log(p, operator("Sub").of(one, p));
    OnnxValue no = operator("Mul").of(operator("Sub").of(inputs[1], one), ofNo);
    return operator("Sub").of(no, operator("Mul").of(inputs[1], log(p, p)));
  }

  private static OnnxValue log(OnnxValue.Input like, OnnxValue p) {
    return operator("Max").of(operator("Log").of(p), like.number(LEAST_LOG));
  }

  private record Saved(Tensor p, Tensor wanted) implements Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      Tensor no = p.rsubScalar(1);
      Tensor product = p.mul(no).clamp(LEAST_PRODUCT, Double.POSITIVE_INFINITY);
      return new Tensor[] {
        needed[0] ? gradient.mul(p.sub(wanted)).div(product) : null,
        needed[1] ? gradient.mul(no.log().sub(p.log())) : null
      };
    }
  }
}
