// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The steps of a Dockerfile, in their order.
record Dockerfile(List<Step> steps) {
  /// @param instruction such as `RUN`
  /// @param arguments the rest of its line
  record Step(String instruction, String arguments) {
    /// The words of its exec form, such as `["train", "mnist"]`.
    List<String> words() {
      return strings(new JsonArray(arguments).stream());
    }
  }

  static Dockerfile read(Path file) throws IOException {
    String text = Files.readString(file).replaceAll("(?m)^#.*\\R?", "").replaceAll("\\\\\\R", " ");
    return new Dockerfile(
        text.lines()
            .filter(line -> !line.isBlank())
            .map(line -> line.strip().split("\\s+", 2))
            .map(words -> new Step(words[0], words[1]))
            .toList());
  }

  /// The arguments of the last step of this instruction.
  Step last(String instruction) {
    return steps.stream()
        .filter(step -> step.instruction().equals(instruction))
        .reduce((former, latter) -> latter)
        .orElseThrow();
  }

  static List<String> strings(Stream<?> values) {
    return values.map(String::valueOf).toList();
  }
}
