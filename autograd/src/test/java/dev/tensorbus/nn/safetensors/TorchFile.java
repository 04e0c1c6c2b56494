// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The tensors that `torch/safetensors_file.py` writes, and what it says when it reads a file.
final class TorchFile {
  /// The first on the path may be one without PyTorch.
  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

  private TorchFile() {}

  static Map<String, Tensor> tensors() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("fine", Tensor.ofDoubles(Math.PI, -0.0, Double.NaN, Double.MIN_VALUE));
    tensors.put("steps", Tensor.of(Shape.SCALAR, new long[] {-(1L << 62) - 1}));
    tensors.put(
        "conv1.weight",
        Tensor.of(
            Shape.of(2, 3),
            new float[] {
              1.5f, -0f, Float.POSITIVE_INFINITY, Float.NaN, Float.MIN_VALUE, -Float.MAX_VALUE
            }));
    tensors.put("scalar", Tensor.scalar(0.1f));
    tensors.put("empty", Tensor.zeros(0, 3));
    tensors.put("gewicht.ä", Tensor.of(Shape.of(1, 2, 3), new float[] {0, 1, 2, 3, 4, 5}));
    float[] singles = {
      1e-45f,
      4.6e-41f,
      9.2e-41f,
      -0f,
      1.00390625f,
      1.0039063f,
      1.01171875f,
      -3.3895314e38f,
      3.4e38f,
      Float.POSITIVE_INFINITY,
      (float) Math.PI
    };
    tensors.put("singles", Tensor.of(singles));
    tensors.put("rounded", Tensor.of(singles).to(DType.BFLOAT16));
    tensors.put("mask", Tensor.of(Shape.of(3, 1), new boolean[] {true, false, true}));
    return tensors;
  }

  /// A line of name, type, sizes and bytes for each.
  static List<String> describe(Map<String, Tensor> tensors) {
    return tensors.entrySet().stream()
        .map(named -> named.getKey() + " " + describe(named.getValue()))
        .toList();
  }

  private static String describe(Tensor tensor) {
    Encoding encoding = Encoding.of(tensor.dtype());
    Shape shape = tensor.shape();
    byte[] bytes = new byte[shape.elements() * encoding.width()];
    MemorySegment target = MemorySegment.ofArray(bytes);
    tensor.heap().write(0, shape.elements(), target, 0, ByteOrder.LITTLE_ENDIAN);
    String sizes =
        IntStream.of(shape.toArray()).mapToObj(String::valueOf).collect(Collectors.joining(","));
    return encoding
        + (shape.rank() == 0 ? " -" : " " + sizes)
        + (bytes.length == 0 ? " -" : " " + HexFormat.of().formatHex(bytes));
  }

  /// The lines that Python prints; the test is skipped where there is no Python with PyTorch.
  static List<String> readByPython(Path file) throws IOException, InterruptedException {
    Optional<String> python = PYTHONS.stream().filter(TorchFile::hasTorch).findFirst();
    assumeTrue(python.isPresent(), "no python3 with PyTorch is installed");
    String script = resource("safetensors_file.py").toString();
    Process reader = start(python.get(), script, "read", file.toString());
    byte[] output = reader.getInputStream().readAllBytes();
    if (reader.waitFor() != 0) {
      throw new AssertionError("python3 ended with " + reader.exitValue());
    }
    return new String(output, StandardCharsets.UTF_8).lines().toList();
  }

  private static boolean hasTorch(String python) {
    try {
      return start(python, "-c", "import torch").waitFor() == 0;
    } catch (IOException | InterruptedException absent) {
      return false;
    }
  }

  private static Process start(String... command) throws IOException {
    ProcessBuilder python = new ProcessBuilder(command);
    python.environment().put("PYTHONIOENCODING", "utf-8");
    return python.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  static Path resource(String name) {
    try {
      return Path.of(Objects.requireNonNull(TorchFile.class.getResource("/torch/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
