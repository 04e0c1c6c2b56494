// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// The files of one checkpoint. The manifest names all others, and is replaced last and in one
/// piece: so a folder holds the old checkpoint or the new one, whole, whenever a save is cut off.
final class Folder {
  private static final String MANIFEST = "manifest.json";
  private static final String DRAFT = "manifest.json.part";
  private static final Pattern TENSORS = Pattern.compile("(model|optimizers)-\\d+\\.safetensors");

  private final Path path;

  Folder(Path path) {
    this.path = path;
  }

  Path file(String name) {
    return path.resolve(name);
  }

  boolean hasManifest() {
    return Files.exists(file(MANIFEST));
  }

  JsonObject readManifest() throws IOException {
    try {
      return new JsonObject(Files.readString(file(MANIFEST)));
    } catch (NoSuchFileException e) {
      throw new CheckpointException("there is no " + MANIFEST, e);
    } catch (DecodeException e) {
      throw new CheckpointException(MANIFEST + " is damaged", e);
    }
  }

  void writeManifest(JsonObject manifest) throws IOException {
    Files.writeString(file(DRAFT), manifest.encodePrettily());
    Files.move(file(DRAFT), file(MANIFEST), StandardCopyOption.ATOMIC_MOVE);
  }

  /// Deletes the tensors of other checkpoints.
  void keepOnly(List<String> names) throws IOException {
    List<Path> others;
    try (Stream<Path> files = Files.list(path)) {
      others =
          files
              .filter(file -> TENSORS.matcher(file.getFileName().toString()).matches())
              .filter(file -> !names.contains(file.getFileName().toString()))
              .toList();
    }
    for (Path other : others) {
      Files.deleteIfExists(other);
    }
  }

  /// The sum of a file's bytes, by which damage is noticed.
  long checksum(String name) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] buffer = new byte[1 << 18];
    try (var in = Files.newInputStream(file(name))) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        sum.update(buffer, 0, count);
      }
    }
    return sum.getValue();
  }
}
