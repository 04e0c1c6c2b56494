// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.onnx.Device;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks the NVIDIA GPUs, and whether ONNX Runtime can use the first.
///
/// @param models the model names that the driver reports
/// @param failure why ONNX Runtime cannot use the first GPU and how to fix it; null if it can, or
///     if there is no GPU
record GpuCheck(List<String> models, @Nullable String failure) implements Check {
  private static final Path FIRST = Path.of("/dev/nvidia0");
  private static final Path DRIVER = Path.of("/proc/driver/nvidia/gpus");
  private static final String MODEL = "Model:";

  static GpuCheck here() {
    List<String> models = Files.exists(FIRST) ? read(DRIVER) : List.of();
    return new GpuCheck(models, models.isEmpty() ? null : OnnxCheck.whyNot(Device.cuda(0)));
  }

  /// Reads the model names from the file `information` in the driver's folder of each GPU. Returns
  /// a generic name if a container hides these folders.
  static List<String> read(Path driver) {
    List<String> models = new ArrayList<>();
    try (DirectoryStream<Path> gpus = Files.newDirectoryStream(driver)) {
      for (Path gpu : gpus) {
        Files.readAllLines(gpu.resolve("information")).stream()
            .filter(line -> line.startsWith(MODEL))
            .map(line -> line.substring(MODEL.length()).strip())
            .forEach(models::add);
      }
    } catch (IOException e) {
      models.clear();
    }
    return models.isEmpty() ? List.of("an NVIDIA GPU") : models;
  }

  @Override
  public Finding finding() {
    if (models.isEmpty()) {
      return Finding.ok("no NVIDIA GPU: everything runs on the CPU");
    }
    String found = String.join(", ", models);
    return failure == null
        ? Finding.ok(found + ": for --device and --num-gpus, with ONNX Runtime")
        : Finding.weak(found + ", not used: " + failure);
  }
}
