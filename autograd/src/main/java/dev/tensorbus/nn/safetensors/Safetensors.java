// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;

/// Reads and writes named tensors in the safetensors format, which PyTorch and other frameworks
/// support: eight bytes with the length of a JSON header, the header, and the values. Unlike
/// pickled tensors, these files contain no code, so untrusted files are safe to read.
public final class Safetensors {
  private Safetensors() {}

  /// Reads all tensors of a file, in the order of its header. The whole header is validated before
  /// memory is allocated.
  ///
  /// Values of float16 become float32, and integers of 8, 16 or 32 bits become int64.
  ///
  /// @throws SafetensorsException if the file cannot be read or is damaged, or if a tensor has an
  ///     unsupported type or is too large; the message states the reason
  public static Map<String, Tensor> read(Path file) {
    return read(file, _ -> true);
  }

  /// Reads the tensors whose names match a condition. Other tensors may have any type and size, and
  /// no memory is allocated for them.
  ///
  /// @throws SafetensorsException if the file cannot be read or is damaged, or if a matching tensor
  ///     has an unsupported type or is too large; the message states the reason
  public static Map<String, Tensor> read(Path file, Predicate<String> isWanted) {
    try {
      return FileReader.read(file, isWanted);
    } catch (SafetensorsException e) {
      throw new SafetensorsException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new SafetensorsException(
          file + ": cannot be read (" + e + "); check that it is a readable file", e);
    }
  }

  /// Writes tensors to a file, atomically: a reader sees either the old file or the complete new
  /// one.
  ///
  /// @throws SafetensorsException if the file cannot be written; in this case an old file is
  ///     unchanged
  public static void write(Path file, Map<String, Tensor> tensors) {
    try {
      AtomicFile.write(file, channel -> FileWriter.write(channel, tensors));
    } catch (IOException e) {
      throw new SafetensorsException(
          file + ": cannot be written (" + e + "); check the folder and its free space", e);
    }
  }
}
