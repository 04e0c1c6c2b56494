// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A device that ONNX Runtime can run on: `cpu`, or a GPU such as `cuda:0`.
///
/// @param gpu the index of the GPU, or -1 for the CPU
public record Device(int gpu) {
  /// The CPU.
  public static final Device CPU = new Device(-1);

  private static final Pattern CUDA = Pattern.compile("cuda(?::(\\d{1,3}))?");

  /// Returns the NVIDIA GPU with the given index.
  public static Device cuda(int number) {
    return new Device(number);
  }

  /// Returns the device with the given name, in torch's notation: `cpu`, `cuda` (the first GPU) or
  /// `cuda:1`.
  ///
  /// @throws IllegalArgumentException if the name is invalid
  public static Device of(String name) {
    if (name.equals("cpu")) {
      return CPU;
    }
    Matcher cuda = CUDA.matcher(name);
    if (!cuda.matches()) {
      throw new IllegalArgumentException(
          "no device \"" + name + "\"; expected cpu, cuda or cuda:N, such as cuda:0");
    }
    return cuda(cuda.group(1) == null ? 0 : Integer.parseInt(cuda.group(1)));
  }

  /// Returns whether this is a GPU.
  public boolean isGpu() {
    return gpu >= 0;
  }

  /// Returns whether ONNX Runtime can use the device. Like `torch.cuda.is_available`.
  public boolean isAvailable() {
    try {
      require();
      return true;
    } catch (OnnxException e) {
      return false;
    }
  }

  /// Checks that ONNX Runtime can use the device, by running a small model on it.
  ///
  /// @throws OnnxException if it cannot; the message says what is missing and how to get it
  public void require() {
    try {
      OnnxRuntime.probe(this);
    } catch (LinkageError e) {
      throw new OnnxException(absent(e), e);
    }
  }

  private static String absent(LinkageError error) {
    boolean hasClasses =
        Device.class.getClassLoader().getResource("ai/onnxruntime/OrtEnvironment.class") != null;
    return hasClasses
        ? "ONNX Runtime's native library does not load: %s; check -Donnxruntime.native.path"
                .formatted(rootOf(error))
            + " and whether its jar supports your platform; everything else works without it"
        : "ONNX Runtime is not on the class path: add com.microsoft.onnxruntime:onnxruntime, or"
            + " put onnxruntime.jar beside the program's jar; everything else works without it";
  }

  private static @Nullable String rootOf(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  /// Returns the name of the device, in the notation of [#of].
  @Override
  public String toString() {
    return isGpu() ? "cuda:" + gpu : "cpu";
  }
}
