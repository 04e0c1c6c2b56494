// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.memory;

import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Creates, opens and removes the files in shared memory that lanes use.
///
/// A file is unlinked as soon as both sides have mapped it. Until then its creator holds a lock on
/// it. A file without a lock was left behind by a process that died, and is removed by the next
/// process that starts.
public final class LaneFiles {
  private static final System.Logger LOG = System.getLogger(LaneFiles.class.getName());

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "tensorbus-";
  private static final String SUFFIX = ".lane";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /// A file takes at most 1/SHARE of the free space.
  private static final int SHARE = 4;

  /// The grace period for new files, which are created before they are locked.
  private static final long NEW_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final List<Path> folders;

  public LaneFiles(List<Path> folders) {
    this.folders = folders;
  }

  /// Returns an instance that creates files in this host's in-memory file system or, if that is
  /// missing or has too little space, in the directory for temporary files.
  public static LaneFiles ofThisHost() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    return new LaneFiles(
        Files.isWritable(MEMORY) ? List.of(MEMORY, temporary) : List.of(temporary));
  }

  /// A mapped file to offer to a peer.
  ///
  /// @param lock shows other processes that the creator is alive
  public record Offered(Path path, FileChannel channel, FileLock lock, MappedSlots slots) {
    /// Unlinks the file; the mapping remains valid.
    public void unlink() {
      try {
        Files.deleteIfExists(path);
        channel.close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, () -> "cannot remove " + path + "; remove it: " + e);
      }
    }
  }

  /// Creates a file in the first directory with enough space.
  ///
  /// @throws IOException if no directory has enough space
  public Offered create(long token) throws IOException {
    IOException last = new IOException("no folder for shared memory found");
    for (Path folder : folders) {
      try {
        return createIn(folder, token);
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static Offered createIn(Path folder, long token) throws IOException {
    long room = Files.getFileStore(folder).getUsableSpace();
    if (room < SHARE * MappedSlots.SIZE) {
      throw new IOException(folder + " has only " + room + " bytes left");
    }
    long number = ThreadLocalRandom.current().nextLong();
    String name = PREFIX + ProcessHandle.current().pid() + "-" + Long.toHexString(number) + SUFFIX;
    Path path = folder.resolve(name);
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      FileLock lock = channel.lock();
      reserve(channel);
      return new Offered(path, channel, lock, MappedSlots.create(channel, token));
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(path);
      channel.close();
      throw e;
    }
  }

  /// Writes the whole file once, so that a lack of space causes an exception now. Otherwise the
  /// first access to a mapped page could cause a signal that kills the process.
  private static void reserve(FileChannel channel) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(Slots.CHUNK);
    for (long at = 0; at < MappedSlots.SIZE; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), MappedSlots.SIZE - at));
      at += channel.write(zeros, at);
    }
  }

  /// Maps a file that another worker offers.
  ///
  /// @throws IOException if it is not a lane's file, or belongs to another user
  public MappedSlots open(String path, long token) throws IOException {
    Path file = Path.of(path);
    requireOurs(file);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return MappedSlots.open(channel, token);
    }
  }

  private void requireOurs(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !folders.contains(folder) || !isNamedLikeOurs(file)) {
      throw new IOException("not a lane's file: " + file);
    }
    PosixFileAttributes attributes =
        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    boolean isPrivate = attributes.permissions().equals(OWNER_ONLY);
    if (!attributes.isRegularFile() || !isPrivate || !attributes.owner().equals(self())) {
      throw new IOException("not a file that only this user may open: " + file);
    }
  }

  private static UserPrincipal self() throws IOException {
    return Files.getOwner(Path.of("/proc/self"));
  }

  private static boolean isNamedLikeOurs(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  /// Removes the files that dead processes have left behind.
  public void sweep() {
    for (Path folder : folders) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
        files.forEach(this::removeIfLeft);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, () -> "cannot search for old files in " + folder + ": " + e);
      }
    }
  }

  private void removeIfLeft(Path file) {
    // Closing another channel to the file would release this process's lock on it.
    String own = PREFIX + ProcessHandle.current().pid() + "-";
    if (String.valueOf(file.getFileName()).startsWith(own)) {
      return;
    }
    try {
      requireOurs(file); // opening another user's named pipe would block
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "left " + file + " where it is: " + e);
      return;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis();
      if (age > NEW_MILLIS && channel.tryLock() != null) {
        Files.deleteIfExists(file);
        LOG.log(Level.DEBUG, "removed {0}, left by a process that died", file);
      }
    } catch (IOException | OverlappingFileLockException e) {
      LOG.log(Level.DEBUG, () -> "left " + file + " where it is: " + e);
    }
  }
}
