// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.onnx.runtime.OnnxRuntime;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A device that ONNX Runtime can run on: `cpu`, or a GPU such as `cuda:0`.
///
/// @param gpu the index of the GPU, or -1 for the CPU
/// @param tf32 whether the GPU may round the factors of products to TF32
public record Device(int gpu, boolean tf32) {
  /// The CPU.
  public static final Device CPU = new Device(-1, false);

  private static final Pattern CUDA = Pattern.compile("cuda(?::(\\d{1,3}))?");

  /// Returns the NVIDIA GPU with the given index.
  public static Device cuda(int number) {
    return new Device(number, false);
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

  /// Returns a copy that computes products in TF32, which keeps 19 of 32 bits: faster on a GPU, but
  /// results differ from those of Java. Like `torch.backends.cuda.matmul.allow_tf32 = True`.
  public Device withTf32() {
    return new Device(gpu, true);
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
      OnnxRuntime.probe(provider());
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
    return provider().toString();
  }

  Provider provider() {
    return new Provider(gpu, tf32);
  }
}
