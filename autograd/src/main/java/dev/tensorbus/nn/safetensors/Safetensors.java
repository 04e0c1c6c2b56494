// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;

/// Reads and writes tensors under names as safetensors files, which PyTorch and others open: eight
/// bytes that tell the length of a JSON header, the header, the values. Unlike pickled tensors they
/// run no code, so a file from a stranger is safe to read.
public final class Safetensors {
  private Safetensors() {}

  /// Reads all tensors of a file, in the order of its header. All that the header says is checked
  /// before anything is allocated for it.
  ///
  /// Values of float16 become float32, and integers of 8, 16 or 32 bits become int64.
  ///
  /// @throws SafetensorsException if it cannot be read or is no such file, with the reason, or if a
  ///     tensor is of another type or too large
  public static Map<String, Tensor> read(Path file) {
    return read(file, _ -> true);
  }

  /// Reads the tensors whose names are wanted, as [#read(Path)] does. Others may be of any type and
  /// size, and take no memory.
  ///
  /// @throws SafetensorsException as [#read(Path)] does, for the tensors that are wanted
  public static Map<String, Tensor> read(Path file, Predicate<String> isWanted) {
    try {
      return FileReader.read(file, isWanted);
    } catch (SafetensorsException e) {
      throw new SafetensorsException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new SafetensorsException(
          file + ": cannot be read (" + e + "); check that it is a file and may be read", e);
    }
  }

  /// Writes tensors to a file. A reader sees the old file or the whole new one.
  ///
  /// @throws SafetensorsException if it cannot be written; an old file is then still there
  public static void write(Path file, Map<String, Tensor> tensors) {
    try {
      AtomicFile.write(file, channel -> FileWriter.write(channel, tensors));
    } catch (IOException e) {
      throw new SafetensorsException(
          file + ": cannot be written (" + e + "); check the folder and its free space", e);
    }
  }
}
