// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// Reads and writes tensors under names as safetensors files, which PyTorch and others open: eight
/// bytes that tell the length of a JSON header, the header, the values. Unlike pickled tensors they
/// run no code, so a file from a stranger is safe to read.
public final class Safetensors {
  private Safetensors() {}

  /// Reads all tensors of a file, in the order of its header. All that the header says is checked
  /// before anything is allocated for it.
  ///
  /// @throws SafetensorsException if it cannot be read or is no such file, with the reason
  public static Map<String, Tensor> read(Path file) {
    try {
      return FileReader.read(file);
    } catch (SafetensorsException e) {
      throw new SafetensorsException(file + ": " + e.getMessage() + "; save or fetch it again", e);
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
