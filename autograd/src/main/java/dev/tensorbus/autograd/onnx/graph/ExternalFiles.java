// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/// The files beside a model that hold the values of its tensors. Only files in the model's folder
/// and below it are read, and no more bytes than each has, however many tensors refer to it.
final class ExternalFiles {
  private final Path folder;
  private final Arena arena;
  private final Map<Path, Long> unread = new HashMap<>();

  /// @param arena in which files are mapped into memory
  ExternalFiles(Path folder, Arena arena) {
    this.folder = folder;
    this.arena = arena;
  }

  /// Returns the bytes of one tensor.
  ///
  /// @param place the location, and optionally offset and length, as the model states them
  /// @param needed the number of bytes that the tensor needs
  /// @throws IllegalArgumentException if the place is outside of the folder, or the file too short
  ByteBuffer bytes(Map<String, String> place, long needed) {
    String location = place.getOrDefault("location", "");
    try {
      Path file = resolved(location);
      long size = Files.size(file);
      long offset = number(place, "offset", 0);
      long length = number(place, "length", needed);
      if (length != needed || offset > size - length) {
        throw new IllegalArgumentException(
            "needs %d bytes, and claims %d at offset %d of %s, which has %d"
                .formatted(needed, length, offset, location, size));
      }
      if (unread.merge(file, size - length, (left, _) -> left - length) < 0) {
        throw new IllegalArgumentException(
            "and others claim more bytes of " + location + " than it has");
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        return channel.map(MapMode.READ_ONLY, offset, length, arena).asByteBuffer();
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "is in the file \"" + location + "\", which cannot be read", e);
    }
  }

  /// Returns the real path, after all symbolic links.
  private Path resolved(String location) throws IOException {
    Path inside = folder.toRealPath();
    Path file = inside.resolve(location);
    if (file.normalize().startsWith(inside)) {
      file = file.toRealPath();
    }
    if (!file.normalize().startsWith(inside) || !Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "is in \"%s\", which is not a file in the model's folder; copy it there"
              .formatted(location));
    }
    return file;
  }

  private static long number(Map<String, String> place, String key, long otherwise) {
    String text = place.get(key);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw new IllegalArgumentException("has the external " + key + " \"" + text + "\"");
    }
    return Long.parseLong(text);
  }
}
