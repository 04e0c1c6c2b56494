// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.ActivationCheckpoint;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.onnx.runtime.OnnxRuntime;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AcceleratedTest {
  private static final Offset<Float> ROUNDING = Offset.offset(1e-5f);

  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Net net = new Net(random);
  private final Tensor x = Tensor.randn(random, 4, 6);

  /// Counts how often Java computes it.
  private static final class Net extends Layer {
    private final Linear first;
    private final Dropout dropout;
    private final Linear second;
    private final AtomicInteger passes = new AtomicInteger();

    Net(SplittableRandom random) {
      first = child("first", new Linear(6, 50, random));
      dropout = child("dropout", new Dropout(0.5f, random));
      second = child("second", new Linear(50, 3, random));
    }

    Tensor forward(Tensor x) {
      passes.incrementAndGet();
      return second.forward(dropout.forward(first.forward(x).relu()));
    }
  }

  private void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.values()).as("-Dseed=" + seed).containsExactly(expected.values(), ROUNDING);
  }

  @Test
  void javaComputesTheFirstPassOfEachKindAndOnnxRuntimeTheRest() {
    try (Accelerated accelerated = Accelerated.of(net, net::forward, Device.CPU)) {
      for (int pass = 0; pass < 3; pass++) {
        accelerated.forward(x);
        accelerated.forward(x.slice(0, 0, 2));
        NoGrad.call(() -> accelerated.forward(x));
      }
      assertThat(net.passes).hasValue(3);
    }
  }

  @Test
  void gradientsOfGradientsAreThoseOfTheLayer() {
    net.eval();
    Tensor input = Tensor.parameterOf(x);
    try (Accelerated accelerated = Accelerated.of(net, net::forward, Device.CPU)) {
      accelerated.forward(input);
      net.passes.set(0);
      float[] found = gradientOfPenalty(accelerated.forward(input), input);
      assertThat(net.passes).hasValue(0);
      assertThat(found).containsExactly(gradientOfPenalty(net.forward(input), input), ROUNDING);
    }
  }

  private float[] gradientOfPenalty(Tensor y, Tensor input) {
    Tensor first = Backward.from(y.pow(2).sum()).createGraph().gradientsOf(input).getFirst();
    Tensor penalty = Objects.requireNonNull(first).pow(2).mean();
    Tensor weight = net.parameters().getFirst();
    return Objects.requireNonNull(Backward.from(penalty).gradientsOf(weight).getFirst()).values();
  }

  @ParameterizedTest
  @MethodSource("dev.tensorbus.autograd.onnx.OnnxTwin#devices")
  void passesTakeThePresentParametersBuiltInOrNot(Device device) {
    net.eval();
    try (Accelerated accelerated = Accelerated.of(net, net::forward, device)) {
      for (int version = 0; version < 3; version++) {
        net.parameters().forEach(parameter -> parameter.update(AcceleratedTest::halved));
        Tensor expected = NoGrad.call(() -> net.forward(x));
        for (int pass = 0; pass < 8; pass++) {
          assertSame(NoGrad.call(() -> accelerated.forward(x)), expected);
        }
      }
    }
  }

  private static float[] halved(float[] values) {
    float[] halves = values.clone();
    for (int i = 0; i < halves.length; i++) {
      halves[i] /= 2;
    }
    return halves;
  }

  @ParameterizedTest
  @MethodSource("dev.tensorbus.autograd.onnx.OnnxTwin#devices")
  void trainingIsThatOfJavaDropoutIncluded(Device device) {
    Net twin = new Net(new SplittableRandom(seed));
    try (Accelerated accelerated = Accelerated.of(net, net::forward, device)) {
      for (int step = 0; step < 5; step++) {
        Tensor expected = twin.forward(x);
        Tensor actual = accelerated.forward(x);
        assertSame(actual, expected);
        expected.mul(expected).sum().backward();
        actual.mul(actual).sum().backward();
        for (int i = 0; i < net.parameters().size(); i++) {
          assertSame(step(net.parameters().get(i)), step(twin.parameters().get(i)));
        }
      }
    }
  }

  /// One of gradient descent; gives the gradient.
  private static Tensor step(Tensor parameter) {
    Tensor gradient = Objects.requireNonNull(parameter.grad());
    parameter.replace(old -> old.sub(gradient.scale(0.01)));
    parameter.zeroGrad();
    return gradient;
  }

  @Test
  void backwardUsesTheParametersThatForwardSaw() {
    net.eval();
    Tensor input = Tensor.parameterOf(x);
    try (Accelerated accelerated = Accelerated.of(net, net::forward, Device.CPU)) {
      accelerated.forward(input);
      Tensor expected = net.forward(Tensor.parameterOf(x));
      Tensor actual = accelerated.forward(input);
      net.parameters().forEach(parameter -> parameter.update(AcceleratedTest::halved));
      actual.sum().backward();
      Tensor twin = Tensor.parameterOf(x);
      net.parameters().forEach(parameter -> parameter.update(AcceleratedTest::doubled));
      net.forward(twin).sum().backward();
      assertSame(Objects.requireNonNull(input.grad()), Objects.requireNonNull(twin.grad()));
      assertSame(actual.detach(), expected.detach());
    }
  }

  private static float[] doubled(float[] values) {
    float[] doubles = values.clone();
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] *= 2;
    }
    return doubles;
  }

  @ParameterizedTest
  @MethodSource("dev.tensorbus.autograd.onnx.OnnxTwin#devices")
  void manyThreadsAndShapesComputeAtOnce(Device device) {
    net.eval();
    List<Tensor> inputs =
        IntStream.range(1, 13).mapToObj(rows -> Tensor.randn(random, rows, 6)).toList();
    try (Accelerated accelerated = Accelerated.of(net, net::forward, device)) {
      IntStream.range(0, 200)
          .parallel()
          .mapToObj(i -> inputs.get(i % inputs.size()))
          .forEach(input -> assertSame(accelerated.forward(input), net.forward(input)));
    }
  }

  @Test
  void aPassAfterTheEndIsRefused() {
    Accelerated accelerated = Accelerated.of(net, net::forward, Device.CPU);
    accelerated.forward(x);
    accelerated.close();
    accelerated.close();
    assertThatThrownBy(() -> accelerated.forward(x))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this Accelerated is closed; create a new one");
  }

  @Test
  void runningStatisticsAreRefused() {
    BatchNorm norm = new BatchNorm(6);
    try (Accelerated accelerated = Accelerated.of(norm, norm::forward, Device.CPU)) {
      assertThatThrownBy(() -> accelerated.forward(x))
          .isInstanceOf(OnnxException.class)
          .hasMessage(
              "cannot run on ONNX Runtime: running_mean changed during forward, as running"
                  + " statistics do in training, which an ONNX model cannot repeat; call"
                  + " eval() first");
    }
  }

  @Test
  void whatOnnxHasNoOperatorForIsNamed() {
    Accelerated accelerated =
        Accelerated.of(net, y -> ActivationCheckpoint.call(net::forward, y).relu(), Device.CPU);
    try (accelerated) {
      assertThatThrownBy(() -> accelerated.forward(x))
          .isInstanceOf(OnnxException.class)
          .hasMessageStartingWith(
              "cannot run on ONNX Runtime: forward uses a result of checkpoint");
    }
  }

  @Test
  void devicesHaveTorchsNames() {
    assertThat(Device.of("cpu")).isEqualTo(Device.CPU).hasToString("cpu");
    assertThat(Device.of("cuda")).isEqualTo(Device.cuda(0)).hasToString("cuda:0");
    assertThat(Device.of("cuda:1")).isEqualTo(Device.cuda(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.of("gpu"))
        .withMessage("no device \"gpu\"; expected cpu, cuda or cuda:N, such as cuda:0");
  }

  @Test
  void aGpuThatIsNotThereIsAClearError() {
    boolean isFirst = OnnxTwin.devices().size() == 1;
    assertThatThrownBy(() -> Device.cuda(99).require())
        .isInstanceOf(OnnxException.class)
        .hasMessageStartingWith(
            isFirst
                ? "cuda:99: ONNX Runtime cannot use it: "
                : "cuda:99: no such GPU; ONNX Runtime finds ")
        .hasMessageContaining(isFirst ? "build with -Pgpu" : ", numbered from cuda:0");
  }

  @Test
  void errorsDoNotSayWhereInItsSourcesOnnxRuntimeNoticed() {
    String missing = "Failed to load library a.so with error: libcublas.so.12: cannot open";
    String place = "/src/provider_bridge.cc:1988 Provider& Get() [ONNXRuntimeError] : 1 : FAIL : ";
    String code = "Error code - ORT_FAIL - message: ";
    assertThat(OnnxRuntime.reason(new OrtException(code + place + missing + "\n")))
        .isEqualTo(missing);
    assertThat(OnnxRuntime.reason(new OrtException(code + missing))).isEqualTo(missing);
    assertThat(OnnxRuntime.reason(new OrtException(missing))).isEqualTo(missing);
  }

  @Test
  void wholeNumbersAreAddedUp() {
    new OnnxTwin(
            "whole",
            OnnxTwin.nothing(),
            in -> {
              Tensor x = in.getFirst();
              return List.of(x.sum(), x.sum(0), x.cumsum(1), in.get(1).sum());
            },
            List.of(Tensor.arange(6).reshape(2, 3), Tensor.ofBooleans(true, false, true)))
        .compare();
  }

  @Test
  void bfloat16GoesInAndComesOut() {
    Tensor table = Tensor.randn(new SplittableRandom(1), 5, 3).to(DType.BFLOAT16);
    new OnnxTwin(
            "bfloat16",
            OnnxTwin.nothing(),
            in -> {
              Tensor rows = table.indexSelect(0, in.get(1));
              Tensor sum = rows.to(DType.FLOAT32).add(in.get(0));
              return List.of(sum, sum.to(DType.BFLOAT16), rows.gt(in.get(2)), rows);
            },
            List.of(
                Tensor.ones(2, 3),
                Tensor.ofLongs(4, 0),
                Tensor.of(0.25f, 0, -0.25f).to(DType.BFLOAT16)))
        .compare();
  }

  @Test
  void wholeNumbersMeetMasksAndBfloat16AsHere() {
    Tensor two = Tensor.of(Shape.SCALAR, new long[] {2});
    new OnnxTwin(
            "comparisons of types",
            OnnxTwin.nothing(),
            in ->
                List.of(in.get(0).le(in.get(1)), in.get(0).eq(in.get(1)), in.get(2).eq(in.get(3))),
            List.of(
                Tensor.ofBooleans(true, false),
                two,
                Tensor.ofLongs(257, 258),
                Tensor.full(Shape.of(2), DType.BFLOAT16, 256)))
        .compare();
  }
}
