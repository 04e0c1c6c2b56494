// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// The files of one checkpoint. The manifest names all others. It is written last and deleted
/// first, so that a folder holds the old checkpoint, the new one or none, whenever a process ends.
final class Folder {
  static final String MANIFEST = "manifest.json";

  /// The files that saves write, those of saves that were cut off included. Nobody else gives a
  /// file such a name, so they may be deleted.
  private static final Pattern OURS =
      Pattern.compile(
          "(manifest\\.json|(model|optimizers)-[0-9a-f-]{36}\\.safetensors)(%s)?"
              .formatted(AtomicFile.DRAFT));

  private final Path path;

  Folder(Path path) {
    this.path = path;
  }

  /// Makes a folder that survives a crash of the machine.
  static void create(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(path)) {
      create(parent);
      Files.createDirectories(path);
      AtomicFile.force(parent);
    }
  }

  boolean hasManifest() {
    return Files.exists(path.resolve(MANIFEST));
  }

  /// @throws CheckpointException if it is not there or damaged
  Manifest readManifest() throws IOException {
    try {
      return Manifest.decode(Files.readAllBytes(path.resolve(MANIFEST)));
    } catch (NoSuchFileException e) {
      throw new CheckpointException("there is no " + MANIFEST, e);
    }
  }

  void writeManifest(Manifest manifest) throws IOException {
    byte[] bytes = manifest.encode();
    AtomicFile.write(
        path.resolve(MANIFEST),
        file -> {
          ByteBuffer rest = ByteBuffer.wrap(bytes);
          while (rest.hasRemaining()) {
            file.write(rest);
          }
        });
  }

  /// Checks that all files are there in their lengths, without reading them.
  ///
  /// @return the manifest
  /// @throws CheckpointException if one is not, with the reason
  Manifest requireWhole() throws IOException {
    Manifest manifest = readManifest();
    for (Manifest.SavedFile file : manifest.files().values()) {
      requireSize(file);
    }
    return manifest;
  }

  private void requireSize(Manifest.SavedFile file) throws IOException {
    try {
      long size = Files.size(resolve(file.name()));
      if (size != file.size()) {
        throw new CheckpointException(
            "%s is damaged: it has %d bytes, expected %d"
                .formatted(file.name(), size, file.size()));
      }
    } catch (NoSuchFileException e) {
      throw new CheckpointException(file.name() + " is missing", e);
    }
  }

  /// A file that a manifest names. It lies in this folder, whatever the name is.
  private Path resolve(String name) {
    if (!OURS.matcher(name).matches()) {
      throw new CheckpointException(
          "%s names the file \"%s\", which is not one of tensors".formatted(MANIFEST, name));
    }
    return path.resolve(name);
  }

  /// Writes tensors to a new file.
  ///
  /// @param content what they are
  Manifest.SavedFile writeTensors(String content, Map<String, Tensor> tensors) throws IOException {
    String name = content + "-" + UUID.randomUUID() + ".safetensors";
    Safetensors.write(path.resolve(name), tensors);
    return new Manifest.SavedFile(name, Files.size(path.resolve(name)), checksum(name));
  }

  /// @throws CheckpointException if it is not the file that was written
  Map<String, Tensor> readTensors(Manifest.SavedFile file) throws IOException {
    requireSize(file);
    if (checksum(file.name()) != file.checksum()) {
      throw new CheckpointException(file.name() + " is damaged: it is not what was written");
    }
    return Safetensors.read(path.resolve(file.name()));
  }

  /// The sum of a file's bytes, by which damage is noticed.
  private long checksum(String name) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] buffer = new byte[1 << 18];
    try (var in = Files.newInputStream(path.resolve(name))) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        sum.update(buffer, 0, count);
      }
    }
    return sum.getValue();
  }

  /// Deletes what saves have left that this manifest does not name.
  void keepOnly(Manifest manifest) throws IOException {
    List<String> names = manifest.files().values().stream().map(Manifest.SavedFile::name).toList();
    deleteOurs(name -> !name.equals(MANIFEST) && !names.contains(name));
  }

  /// Deletes what a save has left that was cut off before there was a manifest.
  void deleteRemains() throws IOException {
    deleteOurs(name -> !name.equals(MANIFEST));
  }

  /// Deletes the checkpoint, and the folder if nothing else is in it.
  void delete() throws IOException {
    if (Files.deleteIfExists(path.resolve(MANIFEST))) {
      AtomicFile.force(path); // the manifest is gone before the first of its files is
    }
    deleteRemains();
    Files.deleteIfExists(path.resolve(WriteLock.FILE));
    try {
      Files.delete(path);
    } catch (DirectoryNotEmptyException e) {
      // Somebody keeps files of their own here.
    }
  }

  private void deleteOurs(Predicate<String> isUnwanted) throws IOException {
    List<Path> unwanted;
    try (Stream<Path> files = Files.list(path)) {
      unwanted = files.filter(file -> isOurs(file) && isUnwanted.test(nameOf(file))).toList();
    }
    for (Path file : unwanted) {
      Files.deleteIfExists(file);
    }
  }

  private static boolean isOurs(Path file) {
    return OURS.matcher(nameOf(file)).matches();
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString();
  }
}
