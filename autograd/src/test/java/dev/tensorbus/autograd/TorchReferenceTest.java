// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Results and gradients against those of PyTorch; `torch/reference.py` made the values.
final class TorchReferenceTest {
  /// One rounding, or none.
  private static final float EXACT = 1e-6f;

  /// Sums of up to a hundred products, which torch adds in another order.
  private static final float SUMS = 1e-5f;

  /// A whole network: sums of sums.
  private static final float NETWORK = 1e-4f;

  private final Map<String, Tensor> reference = read();

  @Test
  void everyOperationComputesWhatTorchComputes() {
    compare("scale", EXACT, x -> x.get(0).scale(-1.5f));
    compare("add", EXACT, x -> x.get(0).add(x.get(1)));
    compare("addRow", SUMS, x -> x.get(0).add(x.get(1)));
    compare("addScalar", SUMS, x -> x.get(0).add(x.get(1)));
    compare("sub", EXACT, x -> x.get(0).sub(x.get(1)));
    compare("mul", EXACT, x -> x.get(0).mul(x.get(1)));
    compare("abs", EXACT, x -> x.get(0).abs());
    compare("relu", EXACT, x -> x.get(0).relu());
    compare("reshape", EXACT, x -> x.get(0).reshape(2, 6));
    compare("flatten", EXACT, x -> x.get(0).flatten(1));
    compare("sum", SUMS, x -> x.get(0).sum());
    compare("mean", SUMS, x -> x.get(0).mean());
    compare("logSoftmax", SUMS, x -> x.get(0).logSoftmax(1));
    compare("matmul", SUMS, x -> x.get(0).matmul(x.get(1)));
    compare("linear", SUMS, x -> x.get(0).linear(x.get(1), x.get(2)));
    compare("maxPool2d", EXACT, x -> x.get(0).maxPool2d(2));
    compare("maxPool3", EXACT, x -> x.get(0).maxPool2d(3));
    compare("conv2d", SUMS, x -> x.get(0).conv2d(x.get(1), x.get(2)));
    compare("conv1x1", SUMS, x -> x.get(0).conv2d(x.get(1), x.get(2)));
    compare("nllLoss", EXACT, x -> Losses.nllLoss(x.get(0), labels("nllLoss")));
    compare("crossEntropy", SUMS, x -> Losses.crossEntropy(x.get(0), labels("crossEntropy")));
    compare("mseLoss", SUMS, x -> Losses.mseLoss(x.get(0), x.get(1)));
    compare("l1Loss", SUMS, x -> Losses.l1Loss(x.get(0), x.get(1)));
  }

  @Test
  void theTutorialsNetworkComputesWhatTorchComputes() {
    compare(
        "net",
        NETWORK,
        x -> {
          Tensor images = x.get(0).conv2d(x.get(1), x.get(2)).relu();
          Tensor features = images.conv2d(x.get(3), x.get(4)).maxPool2d(2).flatten(1);
          Tensor hidden = features.linear(x.get(5), x.get(6)).relu();
          return hidden.linear(x.get(7), x.get(8)).logSoftmax(1);
        });
  }

  private void compare(String name, float tolerance, Function<List<Tensor>, Tensor> function) {
    List<Tensor> inputs = new ArrayList<>();
    for (int i = 0; reference.containsKey(name + ".x" + i); i++) {
      Tensor x = get(name + ".x" + i);
      inputs.add(Tensor.parameter(x.shape(), x.values()));
    }
    Tensor y = function.apply(inputs);
    assertClose(name + ".y", y, tolerance);
    y.mul(get(name + ".dy")).sum().backward();
    for (int i = 0; i < inputs.size(); i++) {
      assertClose(name + ".dx" + i, Objects.requireNonNull(inputs.get(i).grad()), tolerance);
    }
  }

  /// @param tolerance relative to the greatest value expected
  private void assertClose(String name, Tensor actual, float tolerance) {
    Tensor expected = get(name);
    assertThat(actual.shape()).as(name).isEqualTo(expected.shape());
    float greatest = 0;
    for (float value : expected.values()) {
      greatest = Math.max(greatest, Math.abs(value));
    }
    assertThat(actual.values())
        .as(name)
        .containsExactly(expected.values(), within(tolerance * greatest));
  }

  private int[] labels(String name) {
    float[] labels = get(name + ".labels").values();
    int[] numbers = new int[labels.length];
    Arrays.setAll(numbers, i -> (int) labels[i]);
    return numbers;
  }

  private Tensor get(String name) {
    return Objects.requireNonNull(reference.get(name), name);
  }

  private static Map<String, Tensor> read() {
    Map<String, Tensor> tensors = new HashMap<>();
    for (String line : lines()) {
      String[] words = line.split(" ", -1);
      if (!words[0].equals("#")) {
        tensors.put(words[0], tensor(words));
      }
    }
    return tensors;
  }

  private static Tensor tensor(String[] words) {
    int[] sizes =
        words[1].equals("-")
            ? new int[0]
            : Arrays.stream(words[1].split(",", -1)).mapToInt(Integer::parseInt).toArray();
    float[] values = new float[words.length - 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(words[i + 2]);
    }
    return Tensor.of(Shape.of(sizes), values);
  }

  private static List<String> lines() {
    try (InputStream file = TorchReferenceTest.class.getResourceAsStream("/torch/reference.txt")) {
      byte[] bytes = Objects.requireNonNull(file, "torch/reference.txt").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
