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

/// The files of one checkpoint. The manifest lists all other files, and is written last and deleted
/// first. Therefore, whenever the process dies, the folder contains the old checkpoint, the new one
/// or none.
final class Folder {
  static final String MANIFEST = "manifest.json";

  /// Names of the files that a save writes, including the drafts that it leaves if it is
  /// interrupted. No other files have such names, so these may be deleted.
  private static final Pattern OURS =
      Pattern.compile(
          "(manifest\\.json|(model|optimizers)-[0-9a-f-]{36}\\.safetensors)(%s)?"
              .formatted(AtomicFile.DRAFT));

  private final Path path;

  Folder(Path path) {
    this.path = path;
  }

  /// Creates a folder durably, so that it survives a crash of the machine.
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

  /// @throws CheckpointException if the manifest is missing or damaged
  Manifest readManifest() throws IOException {
    try {
      return Manifest.decode(Files.readAllBytes(path.resolve(MANIFEST)));
    } catch (NoSuchFileException e) {
      throw new CheckpointException(MANIFEST + " is missing", e);
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

  /// Checks that all files exist and have their recorded sizes, without reading them.
  ///
  /// @return the manifest
  /// @throws CheckpointException if the manifest is missing or damaged, or a file is missing or has
  ///     the wrong size
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

  /// Resolves a file name from the manifest. Refuses names that point outside this folder.
  private Path resolve(String name) {
    if (!OURS.matcher(name).matches()) {
      throw new CheckpointException(
          "%s lists the file \"%s\", which is not a tensor file".formatted(MANIFEST, name));
    }
    return path.resolve(name);
  }

  /// Writes tensors to a new file.
  ///
  /// @param content the kind of tensors, which becomes the prefix of the file name
  Manifest.SavedFile writeTensors(String content, Map<String, Tensor> tensors) throws IOException {
    String name = content + "-" + UUID.randomUUID() + ".safetensors";
    Safetensors.write(path.resolve(name), tensors);
    return new Manifest.SavedFile(name, Files.size(path.resolve(name)), checksum(name));
  }

  /// @throws CheckpointException if the file is missing or is not as it was written
  Map<String, Tensor> readTensors(Manifest.SavedFile file) throws IOException {
    requireSize(file);
    if (checksum(file.name()) != file.checksum()) {
      throw new CheckpointException(file.name() + " is damaged: its checksum does not match");
    }
    return Safetensors.read(path.resolve(file.name()));
  }

  /// Returns the CRC-32C checksum of a file.
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

  /// Deletes files of earlier saves that this manifest does not list.
  void keepOnly(Manifest manifest) throws IOException {
    List<String> names = manifest.files().values().stream().map(Manifest.SavedFile::name).toList();
    deleteOurs(name -> !name.equals(MANIFEST) && !names.contains(name));
  }

  /// Deletes the files of a save that was interrupted before it wrote a manifest.
  void deleteRemains() throws IOException {
    deleteOurs(name -> !name.equals(MANIFEST));
  }

  /// Deletes the checkpoint, and the folder if it is then empty.
  void delete() throws IOException {
    if (Files.deleteIfExists(path.resolve(MANIFEST))) {
      // The manifest's deletion must be durable before the files that it lists are deleted.
      AtomicFile.force(path);
    }
    deleteRemains();
    Files.deleteIfExists(path.resolve(WriteLock.FILE));
    try {
      Files.delete(path);
    } catch (DirectoryNotEmptyException e) {
      // The folder contains other files.
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
