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

/// Replaces a file as a whole: a reader, or a process that starts after a crash, sees the old
/// content or the new one. When [#write] returns, the new one is on the disk.
public final class AtomicFile {
  /// What is appended to a file's name while it is being written: a pattern for [String#matches].
  public static final String DRAFT = "\\.[0-9a-f-]{36}\\.part";

  private AtomicFile() {}

  /// Writes the content of a file.
  @FunctionalInterface
  public interface Content {
    /// Writes all of it to a new file.
    void writeTo(FileChannel file) throws IOException;
  }

  /// Writes a draft beside the file, under a name of its own, and moves it to its place. If that
  /// fails, the old file is still there.
  ///
  /// A symbolic link in the place of the file is replaced; the file that it names stays as it is.
  ///
  /// @throws IOException if it cannot be written, or the path is a folder or a device
  public static void write(Path file, Content content) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "is not a regular file");
    }
    Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      // CREATE_NEW does not follow a symbolic link that somebody has put there.
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

  /// Returns when the names of a folder's files are on the disk as they are now: those of new
  /// files, and without those of deleted ones.
  public static void force(Path folder) throws IOException {
    if (System.getProperty("os.name").startsWith("Windows")) {
      return; // Windows opens no folder as a file
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
