// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A lock that allows only one thread of one process to write to a folder. Like Lucene's
/// `NativeFSLockFactory`.
final class WriteLock implements AutoCloseable {
  /// The name of the locked file. Unlocking does not delete it; otherwise two writers could each
  /// lock a different file of this name.
  static final String FILE = "write.lock";

  /// The folders that this process has locked. The operating system's lock belongs to the whole
  /// process: another thread that opens and closes the same file would release it.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel file;

  private WriteLock(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /// Locks a folder until the lock is closed.
  ///
  /// @throws CheckpointException if another thread or process has locked it
  static WriteLock of(Path path) throws IOException {
    Path folder = path.toRealPath();
    if (!HELD.add(folder)) {
      throw taken();
    }
    FileChannel file = null;
    try {
      file = open(folder.resolve(FILE));
      if (file.tryLock() == null) {
        throw taken();
      }
      return new WriteLock(folder, file);
    } catch (IOException | RuntimeException e) {
      release(folder, file);
      throw e;
    }
  }

  private static FileChannel open(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new FileSystemException(file.toString(), null, "is a symbolic link");
    }
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  private static CheckpointException taken() {
    return new CheckpointException(
        "another writer is saving to this folder; stop one of them, or use separate folders");
  }

  private static void release(Path folder, @Nullable FileChannel file) throws IOException {
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      HELD.remove(folder);
    }
  }

  @Override
  public void close() throws IOException {
    release(folder, file);
  }
}
