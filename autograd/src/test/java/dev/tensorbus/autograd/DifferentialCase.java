// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.nn.loss.LossReduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One case of `torch/differential.py`.
///
/// @param name the operation
/// @param line where the case begins in the file
/// @param inputs those of a floating-point type are parameters
/// @param result torch's
/// @param gradients torch's, of the parameters in order; without values where torch has none
record DifferentialCase(
    String name,
    int line,
    List<String> settings,
    List<Tensor> inputs,
    Tensor result,
    List<Tensor> gradients) {
  private static final double[] GRADIENTS = {1, -0.5, 2, 0.25, -3};

  /// Reads all of them.
  static List<DifferentialCase> read() {
    List<String> lines = Reference.lines("/torch/differential.txt");
    List<DifferentialCase> cases = new ArrayList<>();
    for (int first = 1; first < lines.size(); ) {
      int end = first + 1;
      while (end < lines.size() && !lines.get(end).startsWith("case ")) {
        end++;
      }
      cases.add(of(first + 1, lines.subList(first, end)));
      first = end;
    }
    return cases;
  }

  private static DifferentialCase of(int line, List<String> lines) {
    List<String> head = List.of(lines.getFirst().split(" ", -1));
    List<Tensor> inputs = new ArrayList<>();
    List<Tensor> gradients = new ArrayList<>();
    Tensor result = null;
    for (String each : lines.subList(1, lines.size())) {
      String[] words = each.split(" ", -1);
      Tensor tensor = tensor(words);
      switch (words[0]) {
        case "x" -> inputs.add(tensor.dtype().isFloating() ? Tensor.parameterOf(tensor) : tensor);
        case "y" -> result = tensor;
        default -> gradients.add(tensor);
      }
    }
    return new DifferentialCase(
        head.get(1),
        line,
        head.subList(2, head.size()),
        inputs,
        Objects.requireNonNull(result, head.get(1)),
        gradients);
  }

  private static Tensor tensor(String[] words) {
    DType type = DType.valueOf(words[1].toUpperCase(Locale.ROOT));
    Shape shape = Reference.shape(words[2]);
    HeapStorage values = HeapStorage.zeros(type, shape.elements());
    for (int i = 0; i < shape.elements(); i++) {
      String word = words[i + 3];
      switch (type) {
        case BOOL -> values.booleans()[i] = word.equals("1");
        case INT64 -> values.longs()[i] = Long.parseLong(word);
        case FLOAT32 -> values.floats()[i] = (float) number(word);
        case FLOAT64 -> values.doubles()[i] = number(word);
        case BFLOAT16 -> Tensor.of((float) number(word)).to(type).heap().copyTo(0, values, i, 1);
      }
    }
    return Tensor.ofStorage(shape, values);
  }

  private static double number(String word) {
    return switch (word) {
      case "nan" -> Double.NaN;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(word);
    };
  }

  Tensor get(int i) {
    return inputs.get(i);
  }

  double setting(int i) {
    return number(settings.get(i));
  }

  int whole(int i) {
    return Integer.parseInt(settings.get(i));
  }

  LossReduction reduction() {
    return LossReduction.valueOf(settings.getFirst().toUpperCase(Locale.ROOT));
  }

  Pair pair(int first) {
    return new Pair(whole(first), whole(first + 1));
  }

  Sliding strideAndPadding() {
    return Sliding.ONE.withStride(whole(0)).withPadding(whole(1));
  }

  /// Compares result and gradients with torch's.
  ///
  /// @param isPrecise whether each value of the result has its own digits; otherwise those of the
  ///     greatest
  /// @param isSteady whether each value of a gradient has
  void compare(
      Function<DifferentialCase, Tensor> function,
      UnaryOperator<Backward> pass,
      boolean isPrecise,
      boolean isSteady) {
    Tensor y = function.apply(this);
    assertClose("result", y.detach(), result, isPrecise);
    if (!y.requiresGrad()) {
      return;
    }
    double[] ofY = new double[y.shape().elements()];
    for (int i = 0; i < ofY.length; i++) {
      ofY[i] = GRADIENTS[i % GRADIENTS.length];
    }
    Tensor gradient = Tensor.of(y.shape(), ofY).to(y.dtype());
    Tensor[] parameters = inputs.stream().filter(Tensor::requiresGrad).toArray(Tensor[]::new);
    List<@Nullable Tensor> found = pass.apply(Backward.from(y, gradient)).gradientsOf(parameters);
    for (int i = 0; i < parameters.length; i++) {
      if (gradients.get(i).shape().elements() > 0 || parameters[i].shape().elements() == 0) {
        Tensor each = Objects.requireNonNull(found.get(i), this::toString);
        assertClose("gradient " + i, each.detach(), gradients.get(i), isSteady);
      }
    }
  }

  private void assertClose(String what, Tensor actual, Tensor expected, boolean isPrecise) {
    assertThat(actual.dtype()).as(name + " " + what + ", line " + line).isEqualTo(expected.dtype());
    assertThat(actual.shape()).as(name + " " + what + ", line " + line).isEqualTo(expected.shape());
    double[] wanted = expected.to(DType.FLOAT64).doubles();
    double[] got = actual.to(DType.FLOAT64).doubles();
    // A float64 scalar beside a float32 tensor has a gradient of float32's digits.
    boolean isFloat64 = expected.dtype() == DType.FLOAT64 && result.dtype() == DType.FLOAT64;
    double tolerance = isFloat64 ? (isPrecise ? 1e-14 : 1e-13) : 2e-6;
    double smallest = isFloat64 ? Double.MIN_NORMAL : 100 * Float.MIN_VALUE;
    double greatest = 1;
    for (double value : wanted) {
      greatest = Double.isFinite(value) ? Math.max(greatest, Math.abs(value)) : greatest;
    }
    for (int i = 0; i < wanted.length; i++) {
      double allowed = tolerance * (isPrecise ? Math.abs(wanted[i]) : greatest) + smallest;
      boolean close =
          wanted[i] == got[i]
              || Double.isNaN(wanted[i]) && Double.isNaN(got[i])
              || Math.abs(wanted[i] - got[i]) <= allowed;
      assertThat(close)
          .as(
              "%s %s, line %d: %s[%d] is %s, torch has %s",
              name, settings, line, what, i, got[i], wanted[i])
          .isTrue();
    }
  }
}
