// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.nn.functional.Embeddings;
import dev.tensorbus.nn.functional.Interpolations;
import dev.tensorbus.nn.functional.Normalizations;
import dev.tensorbus.nn.functional.Poolings;
import dev.tensorbus.nn.loss.BceLoss;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.HuberLoss;
import dev.tensorbus.nn.loss.KlDivLoss;
import dev.tensorbus.nn.loss.L1Loss;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.nn.loss.NllLoss;
import dev.tensorbus.nn.loss.SmoothL1Loss;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The random cases of `torch/differential.py` against PyTorch's results and gradients: mixed
/// types, scalars, denormals and infinities, float64 to its last digits, labels that do not count,
/// parameters that are used twice.
final class DifferentialTest {
  /// Functions whose gradient has each value's own digits. Those of others are differences.
  private static final Set<String> STEADY =
      Set.of(
          "abs",
          "sign",
          "floor",
          "ceil",
          "round",
          "relu",
          "reciprocal",
          "sqrt",
          "exp",
          "log",
          "clamp",
          "pow",
          "silu",
          "softplus",
          "add",
          "sub",
          "mul",
          "div",
          "maximum",
          "minimum",
          "where");

  /// Functions whose values have each its own digits.
  private static final Set<String> PRECISE =
      Set.of("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "sigmoid", "tanh");

  private static final Map<String, Function<DifferentialCase, Tensor>> FUNCTIONS =
      Map.ofEntries(
          binary("lt", Tensor::lt),
          binary("le", Tensor::le),
          binary("gt", Tensor::gt),
          binary("ge", Tensor::ge),
          binary("eq", Tensor::eq),
          binary("ne", Tensor::ne),
          binary("add", Tensor::add),
          binary("sub", Tensor::sub),
          binary("mul", Tensor::mul),
          binary("div", Tensor::div),
          binary("maximum", Tensor::maximum),
          binary("minimum", Tensor::minimum),
          entry("where", in -> in.get(1).where(in.get(0), in.get(2))),
          unary("abs", Tensor::abs),
          unary("sign", Tensor::sign),
          unary("floor", Tensor::floor),
          unary("ceil", Tensor::ceil),
          unary("round", Tensor::round),
          unary("relu", Tensor::relu),
          unary("reciprocal", Tensor::reciprocal),
          unary("sqrt", Tensor::sqrt),
          unary("exp", Tensor::exp),
          unary("log", Tensor::log),
          unary("sin", Tensor::sin),
          unary("cos", Tensor::cos),
          unary("tan", Tensor::tan),
          unary("asin", Tensor::asin),
          unary("acos", Tensor::acos),
          unary("atan", Tensor::atan),
          unary("sinh", Tensor::sinh),
          unary("cosh", Tensor::cosh),
          unary("sigmoid", Tensor::sigmoid),
          unary("tanh", Tensor::tanh),
          unary("silu", Tensor::silu),
          unary("softplus", Tensor::softplus),
          unary("gelu", Tensor::gelu),
          unary("geluTanh", Tensor::geluTanh),
          entry("clamp", in -> in.get(0).clamp(in.setting(0), in.setting(1))),
          entry("pow", in -> in.get(0).pow(in.setting(0))),
          reduction("sum", (x, in) -> x.sum(in.whole(0))),
          reduction("mean", (x, in) -> x.mean(in.whole(0))),
          reduction("varWithCorrection", (x, in) -> x.varWithCorrection(in.whole(2), in.whole(0))),
          reduction("stdWithCorrection", (x, in) -> x.stdWithCorrection(in.whole(2), in.whole(0))),
          reduction("max", (x, in) -> x.max(in.whole(0))),
          reduction("min", (x, in) -> x.min(in.whole(0))),
          reduction("vectorNorm", (x, in) -> x.vectorNorm(2, in.whole(0))),
          reduction("logsumexp", (x, in) -> x.logsumexp(in.whole(0))),
          entry("softmax", in -> in.get(0).softmax(in.whole(0))),
          entry("logSoftmax", in -> in.get(0).logSoftmax(in.whole(0))),
          entry(
              "layerNorm",
              in -> Normalizations.layerNorm(in.get(0), in.get(1), in.get(2), in.setting(0))),
          entry(
              "groupNorm",
              in ->
                  Normalizations.groupNorm(
                      in.get(0), in.whole(0), in.get(1), in.get(2), in.setting(1))),
          entry(
              "batchNorm",
              in ->
                  Normalizations.batchNorm(in.get(0), in.get(1), in.get(2), in.setting(0))
                      .values()),
          binary("mseLoss", in -> new MseLoss(in.reduction())::forward),
          binary("l1Loss", in -> new L1Loss(in.reduction())::forward),
          binary("smoothL1Loss", in -> new SmoothL1Loss(in.reduction(), in.setting(1))::forward),
          binary("huberLoss", in -> new HuberLoss(in.reduction(), in.setting(1))::forward),
          binary(
              "nllLoss",
              in -> new NllLoss(in.reduction(), in.get(2).detach(), in.whole(1))::forward),
          binary(
              "crossEntropyLoss",
              in ->
                  new CrossEntropyLoss(
                          in.reduction(), in.get(2).detach(), in.whole(1), in.setting(2))
                      ::forward),
          binary("crossEntropyLossPlain", in -> new CrossEntropyLoss()::forward),
          binary("bceLoss", in -> new BceLoss().withReduction(in.reduction())::forward),
          binary(
              "bceWithLogitsLoss",
              in ->
                  new BceWithLogitsLoss(in.reduction(), Tensor.ofDoubles(in.setting(1)))::forward),
          binary("klDivLoss", in -> new KlDivLoss().withReduction(in.reduction())::forward),
          entry(
              "tiedLinear",
              in -> {
                Tensor hidden = in.get(0).linear(in.get(1), in.get(2)).tanh();
                return hidden.linear(in.get(1), in.get(2));
              }),
          entry(
              "tiedEmbedding",
              in -> {
                Tensor table = in.get(0);
                Tensor words = Embeddings.embedding(in.get(1), table).tanh();
                Tensor scores = words.matmul(table.transpose(0, 1));
                return new CrossEntropyLoss().forward(scores, in.get(1).flip(0));
              }),
          entry("nearest", in -> Interpolations.nearest(in.get(0), in.pair(0))),
          entry(
              "bilinear", in -> Interpolations.bilinear(in.get(0), in.pair(0), in.setting(2) == 1)),
          entry(
              "avgPool2d", in -> Poolings.avgPool2d(in.get(0), Pair.of(2), in.strideAndPadding())),
          entry(
              "maxPool2d", in -> Poolings.maxPool2d(in.get(0), Pair.of(2), in.strideAndPadding())),
          entry("adaptiveAvgPool2d", in -> Poolings.adaptiveAvgPool2d(in.get(0), in.pair(0))),
          entry(
              "categoricalOfProbabilities",
              in -> Categorical.ofProbabilities(in.get(0)).logProbability(in.get(1))),
          entry(
              "categoricalOfProbabilitiesEntropy",
              in -> Categorical.ofProbabilities(in.get(0)).entropy()),
          entry(
              "categoricalOfLogits",
              in -> Categorical.ofLogits(in.get(0)).logProbability(in.get(1))),
          entry("categoricalOfLogitsEntropy", in -> Categorical.ofLogits(in.get(0)).entropy()));

  private final List<DifferentialCase> cases = DifferentialCase.read();

  private static Map.Entry<String, Function<DifferentialCase, Tensor>> unary(
      String name, UnaryOperator<Tensor> function) {
    return entry(name, in -> function.apply(in.get(0)));
  }

  private static Map.Entry<String, Function<DifferentialCase, Tensor>> binary(
      String name, BinaryOperator<Tensor> function) {
    return entry(name, in -> function.apply(in.get(0), in.get(1)));
  }

  private static Map.Entry<String, Function<DifferentialCase, Tensor>> binary(
      String name, Function<DifferentialCase, BinaryOperator<Tensor>> function) {
    return entry(name, in -> function.apply(in).apply(in.get(0), in.get(1)));
  }

  /// A reduction of an axis, the first setting, which stays if the second one is 1.
  private static Map.Entry<String, Function<DifferentialCase, Tensor>> reduction(
      String name, BiFunction<Tensor, DifferentialCase, Tensor> function) {
    return entry(
        name,
        in -> {
          Tensor y = function.apply(in.get(0), in);
          return in.whole(1) == 1 ? y.unsqueeze(in.whole(0)) : y;
        });
  }

  @Test
  void randomCasesComputeWhatTorchComputes() {
    compareAll(UnaryOperator.identity());
  }

  @Test
  void aPassThatCreatesAGraphFindsTheSameGradients() {
    compareAll(Backward::createGraph);
  }

  private void compareAll(UnaryOperator<Backward> pass) {
    assertAll(
        cases.stream()
            .map(
                each ->
                    () -> {
                      Function<DifferentialCase, Tensor> function = FUNCTIONS.get(each.name());
                      boolean isSteady = STEADY.contains(each.name());
                      boolean isPrecise = isSteady || PRECISE.contains(each.name());
                      each.compare(function, pass, isPrecise, isSteady);
                    }));
  }

  @Test
  void everyFunctionHasCases() {
    assertThat(cases).hasSizeGreaterThan(500);
    assertThat(cases.stream().map(DifferentialCase::name).collect(Collectors.toSet()))
        .isEqualTo(FUNCTIONS.keySet());
  }
}
