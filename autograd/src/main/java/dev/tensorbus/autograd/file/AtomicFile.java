// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// Replaces a file atomically: a reader, or a process that starts after a crash, sees either the
/// old content or the new. When [#write] returns, the new content is on disk.
public final class AtomicFile {
  /// A regular expression for the suffix of a file that is still being written.
  public static final String DRAFT = "\\.[0-9a-f-]{36}\\.part";

  private AtomicFile() {}

  /// Writes the content of a file.
  @FunctionalInterface
  public interface Content {
    /// Writes the whole content to a new file.
    void writeTo(FileChannel file) throws IOException;
  }

  /// Writes a temporary file with a unique name in the same folder and moves it over the file. If
  /// that fails, the old file is unchanged.
  ///
  /// A symbolic link at the path is replaced; its target stays unchanged.
  ///
  /// @throws IOException if the file cannot be written, or the path is a folder or a device
  public static void write(Path file, Content content) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "is not a regular file");
    }
    Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      // CREATE_NEW does not follow a symbolic link that someone else has created.
      try (FileChannel channel =
          FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
    force(folderOf(file));
  }

  private static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file : folder;
  }

  /// Forces the entries of a folder to disk: the names of new files, and the removal of deleted
  /// ones.
  public static void force(Path folder) throws IOException {
    if (System.getProperty("os.name").startsWith("Windows")) {
      return; // Windows cannot open a folder as a file
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
