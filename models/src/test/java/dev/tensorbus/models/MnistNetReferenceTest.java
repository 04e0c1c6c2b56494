// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Forward and gradients with torch's own numbers, made by `torch/mnist_net.py`.
class MnistNetReferenceTest {
  private static final int SAMPLES = 10;
  private static final float RELATIVE = 1e-4f;

  private final MnistNet net = new MnistNet(new SplittableRandom(1));
  private int drawn;

  @Test
  void forwardAndGradientsAgreeWithTorch() throws IOException {
    FloatBuffer expected = reference();
    net.eval();
    net.parameters().forEach(parameter -> parameter.update(_ -> start(parameter.shape())));
    Shape images = Shape.of(4, 1, 28, 28);
    Tensor logProbabilities = net.forward(Tensor.of(images, noise(images.elements(), 1)));
    Tensor loss = Losses.nllLoss(logProbabilities, Tensor.ofLongs(0, 1, 2, 3));
    loss.backward();

    for (float value : logProbabilities.values()) {
      assertThat(value).isCloseTo(expected.get(), within(1e-5f));
    }
    assertThat(loss.item()).isCloseTo(expected.get(), within(1e-5f));
    net.namedParameters()
        .forEach(
            (name, parameter) ->
                assertGradient(name, Objects.requireNonNull(parameter.grad()), expected));
    assertThat(expected.hasRemaining()).isFalse();
  }

  private static void assertGradient(String name, Tensor gradient, FloatBuffer expected) {
    float[] values = gradient.values();
    double squares = 0;
    for (float value : values) {
      squares += (double) value * value;
    }
    float norm = expected.get();
    assertThat((float) Math.sqrt(squares)).as(name).isCloseTo(norm, within(RELATIVE * norm));
    for (int i = 0; i < SAMPLES; i++) {
      assertThat(values[i * (values.length / SAMPLES)])
          .as("%s, sample %s", name, i)
          .isCloseTo(expected.get(), within(RELATIVE * norm));
    }
  }

  /// The next of the script's numbers, scaled as it does for a parameter of this shape.
  private float[] start(Shape shape) {
    double fanIn = shape.rank() > 1 ? (double) shape.elements() / shape.size(0) : 64;
    return noise(shape.elements(), Math.pow(2, -Math.ceil(Math.log(fanIn) / Math.log(4))));
  }

  private float[] noise(int count, double scale) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      int bits = drawn++;
      bits = (bits ^ (bits >>> 15)) * 0x2C1B3C6D;
      bits = (bits ^ (bits >>> 12)) * 0x297A2D39;
      bits ^= bits >>> 15;
      values[i] = (float) (((bits >>> 8) / (double) (1 << 23) - 1) * scale);
    }
    return values;
  }

  private static FloatBuffer reference() throws IOException {
    try (InputStream in = MnistNetReferenceTest.class.getResourceAsStream("/torch/mnist_net.bin")) {
      return ByteBuffer.wrap(Objects.requireNonNull(in).readAllBytes())
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer();
    }
  }
}
