// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The functions of one variable that have no parameters.
public enum UnaryFunctions implements UnaryFunction {
  /// `|x|`; the derivative at 0 and for NaN is 0, as in torch.
  ABS {
    @Override
    public double at(double x) {
      return Math.abs(x);
    }

    @Override
    public double derivative(double x) {
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    }
  },

  /// The sign of `x`: -1, 0 or 1. It is 0 for NaN, as in torch.
  SIGN {
    @Override
    public double at(double x) {
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    }

    @Override
    public double derivative(double x) {
      return 0;
    }
  },

  /// Rounds down.
  FLOOR {
    @Override
    public double at(double x) {
      return Math.floor(x);
    }

    @Override
    public double derivative(double x) {
      return 0;
    }
  },

  /// Rounds up.
  CEIL {
    @Override
    public double at(double x) {
      return Math.ceil(x);
    }

    @Override
    public double derivative(double x) {
      return 0;
    }
  },

  /// Rounds to the nearest integer, ties to even.
  ROUND {
    @Override
    public double at(double x) {
      return Math.rint(x);
    }

    @Override
    public double derivative(double x) {
      return 0;
    }
  },

  /// `max(x, 0)`, which is NaN for NaN. As in torch, the derivative is 0 at 0 and 1 for NaN.
  RELU {
    @Override
    public double at(double x) {
      return Math.max(x, 0);
    }

    @Override
    public double derivative(double y) {
      return y <= 0 ? 0 : 1;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// `1 / x`.
  RECIPROCAL {
    @Override
    public double at(double x) {
      return 1 / x;
    }

    @Override
    public double derivative(double y) {
      return -y * y;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// The square root.
  SQRT {
    @Override
    public double at(double x) {
      return Math.sqrt(x);
    }

    @Override
    public double derivative(double y) {
      return 0.5 / y;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// `e` to the power of `x`.
  EXP {
    @Override
    public double at(double x) {
      return Math.exp(x);
    }

    @Override
    public double derivative(double y) {
      return y;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// The natural logarithm.
  LOG {
    @Override
    public double at(double x) {
      return Math.log(x);
    }

    @Override
    public double derivative(double x) {
      return 1 / x;
    }

    // Divides by `x`, since `1 / x` overflows for the smallest `x`.
    @Override
    public double gradient(double x, double gradient) {
      return Double.isInfinite(x) ? 0 : gradient / x;
    }
  },

  /// `1 / (1 + exp(-x))`.
  SIGMOID {
    @Override
    public double at(double x) {
      return 1 / (1 + Math.exp(-x));
    }

    @Override
    public double derivative(double y) {
      return y * (1 - y);
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// The sine of an angle in radians.
  SIN {
    @Override
    public double at(double x) {
      return Math.sin(x);
    }

    @Override
    public double derivative(double x) {
      return Math.cos(x);
    }
  },

  /// The cosine of an angle in radians.
  COS {
    @Override
    public double at(double x) {
      return Math.cos(x);
    }

    @Override
    public double derivative(double x) {
      return -Math.sin(x);
    }
  },

  /// The tangent of an angle in radians.
  TAN {
    @Override
    public double at(double x) {
      return Math.tan(x);
    }

    @Override
    public double derivative(double y) {
      return 1 + y * y;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// The arcsine; NaN outside `[-1, 1]`.
  ASIN {
    @Override
    public double at(double x) {
      return Math.asin(x);
    }

    @Override
    public double derivative(double x) {
      return 1 / Math.sqrt(1 - x * x);
    }
  },

  /// The arccosine; NaN outside `[-1, 1]`.
  ACOS {
    @Override
    public double at(double x) {
      return Math.acos(x);
    }

    @Override
    public double derivative(double x) {
      return -1 / Math.sqrt(1 - x * x);
    }
  },

  /// The arctangent.
  ATAN {
    @Override
    public double at(double x) {
      return Math.atan(x);
    }

    @Override
    public double derivative(double x) {
      return 1 / (1 + x * x);
    }
  },

  /// The hyperbolic sine.
  SINH {
    @Override
    public double at(double x) {
      return Math.sinh(x);
    }

    @Override
    public double derivative(double x) {
      return Math.cosh(x);
    }
  },

  /// The hyperbolic cosine.
  COSH {
    @Override
    public double at(double x) {
      return Math.cosh(x);
    }

    @Override
    public double derivative(double x) {
      return Math.sinh(x);
    }
  },

  /// The hyperbolic tangent.
  TANH {
    @Override
    public double at(double x) {
      return Math.tanh(x);
    }

    @Override
    public double derivative(double y) {
      return 1 - y * y;
    }

    @Override
    public boolean keepsResult() {
      return true;
    }
  },

  /// `x * sigmoid(x)`.
  SILU {
    @Override
    public double at(double x) {
      return x * SIGMOID.at(x);
    }

    @Override
    public double derivative(double x) {
      double sigmoid = SIGMOID.at(x);
      return sigmoid * (1 + x * (1 - sigmoid));
    }
  },

  /// `log(1 + exp(x))`; for `x` above 20, `x` itself, as in torch.
  SOFTPLUS {
    @Override
    public double at(double x) {
      return x > 20 ? x : Math.log1p(Math.exp(x));
    }

    @Override
    public double derivative(double x) {
      return x > 20 ? 1 : SIGMOID.at(x);
    }
  },

  /// `x * P(X < x)` for a standard normal `X` (Hendrycks and Gimpel, 2016).
  GELU {
    @Override
    public double at(double x) {
      return x * NormalDistribution.probability(x);
    }

    @Override
    public double derivative(double x) {
      return NormalDistribution.probability(x) + x * NormalDistribution.density(x);
    }
  },

  /// `P(X < x)` for a standard normal `X`; a term of the derivative of [#GELU].
  NORMAL_PROBABILITY {
    @Override
    public double at(double x) {
      return NormalDistribution.probability(x);
    }

    @Override
    public double derivative(double x) {
      return NormalDistribution.density(x);
    }
  },

  /// The tanh approximation of [#GELU] that GPT-2 was trained with.
  GELU_TANH {
    private static final double SCALE = Math.sqrt(2 / Math.PI);
    private static final double CUBIC = 0.044715;

    @Override
    public double at(double x) {
      return x / 2 * (1 + Math.tanh(SCALE * (x + CUBIC * x * x * x)));
    }

    @Override
    public double derivative(double x) {
      double tanh = Math.tanh(SCALE * (x + CUBIC * x * x * x));
      return (1 + tanh) / 2 + x / 2 * (1 - tanh * tanh) * SCALE * (1 + 3 * CUBIC * x * x);
    }
  }
}
