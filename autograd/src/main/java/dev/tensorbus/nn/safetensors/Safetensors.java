// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.UUID;

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

  /// Writes tensors to a file. It is written beside and then moved, so that a reader sees the old
  /// file or the whole new one.
  ///
  /// @throws SafetensorsException if it cannot be written; an old file is then still there
  public static void write(Path file, Map<String, Tensor> tensors) {
    Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try {
        FileWriter.write(draft, tensors);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new SafetensorsException(
          file + ": cannot be written (" + e + "); check the folder and its free space", e);
    }
  }
}
