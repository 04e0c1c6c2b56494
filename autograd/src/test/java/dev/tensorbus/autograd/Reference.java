// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

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

/// The output of `torch/reference.py`: inputs, results and gradients of cases, by name.
final class Reference {
  private final Map<String, Tensor> tensors = new HashMap<>();

  /// Reads all of a resource.
  Reference(String resource) {
    for (String line : lines(resource)) {
      String[] words = line.split(" ", -1);
      if (!words[0].equals("#")) {
        tensors.put(words[0], tensor(words));
      }
    }
  }

  Tensor get(String name) {
    return Objects.requireNonNull(tensors.get(name), () -> "no reference value " + name);
  }

  boolean has(String name) {
    return tensors.containsKey(name);
  }

  /// The tensors `prefix0`, `prefix1`, …
  List<Tensor> numbered(String prefix) {
    List<Tensor> found = new ArrayList<>();
    while (has(prefix + found.size())) {
      found.add(get(prefix + found.size()));
    }
    return found;
  }

  private static Tensor tensor(String[] words) {
    float[] values = new float[words.length - 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = number(words[i + 2]);
    }
    return Tensor.of(shape(words[1]), values);
  }

  /// Sizes with commas between them; `-` for none.
  static Shape shape(String sizes) {
    return sizes.equals("-")
        ? Shape.SCALAR
        : Shape.of(Arrays.stream(sizes.split(",", -1)).mapToInt(Integer::parseInt).toArray());
  }

  private static float number(String word) {
    return switch (word) {
      case "nan" -> Float.NaN;
      case "inf" -> Float.POSITIVE_INFINITY;
      case "-inf" -> Float.NEGATIVE_INFINITY;
      default -> Float.parseFloat(word);
    };
  }

  /// The lines of a resource.
  static List<String> lines(String resource) {
    try (InputStream file = Reference.class.getResourceAsStream(resource)) {
      byte[] bytes = Objects.requireNonNull(file, resource).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
