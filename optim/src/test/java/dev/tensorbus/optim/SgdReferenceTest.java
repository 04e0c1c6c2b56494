// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Twenty steps of each combination of options, against `torch/sgd.py`.
class SgdReferenceTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource("combinations")
  void stepsGiveTheBitsOfTorch(
      Sgd sgd, float[] initial, List<float[]> gradients, List<float[]> expected) {
    Shape shape = Shape.of(initial.length);
    Tensor parameter = Tensor.parameter(shape, initial);
    Optimizer optimizer = sgd.over(List.of(parameter));
    for (int step = 0; step < gradients.size(); step++) {
      Tensor gradient = Tensor.of(shape, gradients.get(step));
      optimizer.step(_ -> gradient);
      assertThat(parameter.values()).as("step %s", step + 1).containsExactly(expected.get(step));
    }
  }

  static List<Arguments> combinations() throws IOException {
    ByteBuffer file = file();
    int cases = file.getInt();
    int steps = file.getInt();
    int elements = file.getInt();
    float[] initial = floats(file, elements);
    List<float[]> gradients = rows(file, steps, elements);
    List<Arguments> combinations = new ArrayList<>();
    for (int i = 0; i < cases; i++) {
      float[] options = floats(file, 5);
      Sgd sgd = new Sgd(options[0], options[1], options[2], options[3], options[4] == 1);
      combinations.add(Arguments.of(sgd, initial, gradients, rows(file, steps, elements)));
    }
    assertThat(file.hasRemaining()).isFalse();
    return combinations;
  }

  private static ByteBuffer file() throws IOException {
    try (InputStream in = SgdReferenceTest.class.getResourceAsStream("/torch/sgd.bin")) {
      return ByteBuffer.wrap(Objects.requireNonNull(in).readAllBytes())
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static List<float[]> rows(ByteBuffer file, int count, int length) {
    List<float[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(floats(file, length));
    }
    return rows;
  }

  private static float[] floats(ByteBuffer file, int length) {
    float[] floats = new float[length];
    file.asFloatBuffer().get(floats);
    file.position(file.position() + length * Float.BYTES);
    return floats;
  }
}
