// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A secret that all processes of one user on one machine share, in a file that only this user can
/// read. The workers of a world that listens on loopback addresses prove to each other that they
/// know it ([SecretHandshake]), so that other users of the machine cannot join. Thread-safe.
public final class Secret {
  private static final int BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final String FOLDER = ".tensorbus";
  private static final String FILE = "secret";

  /// Belongs to the user of this process, on Linux.
  private static final Path PROCESS = Path.of("/proc/self");

  private static final String CURE = "stop the worlds of this user and delete the file";

  private final Path file;
  private final SecretKeySpec key;

  private Secret(Path file, byte[] bytes) {
    this.file = file;
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /// Reads the secret of the user who runs this process: `.tensorbus/secret` in the home folder, or
  /// `tensorbus-USER/secret` in the folder of temporary files if there is no home folder that can
  /// be written. Creates the file if it does not exist.
  ///
  /// @throws IOException if the file cannot be created, or others can read or replace it
  public static Secret ofUser() throws IOException {
    Path home = Path.of(System.getProperty("user.home"));
    if (Files.isWritable(home)) {
      return of(home.resolve(FOLDER).resolve(FILE));
    }
    String folder = "tensorbus-" + System.getProperty("user.name");
    return of(Path.of(System.getProperty("java.io.tmpdir"), folder, FILE));
  }

  /// Reads the secret in a file, and creates the file if it does not exist.
  public static Secret of(Path file) throws IOException {
    try {
      return read(file);
    } catch (NoSuchFileException e) {
      create(file);
      return read(file);
    } catch (AccessDeniedException e) {
      throw new IOException("the secret %s cannot be read: permission denied".formatted(file), e);
    }
  }

  /// Reads the file after it was checked: others cannot replace a file in a folder of this user.
  private static Secret read(Path file) throws IOException {
    if (hasPermissions(file)) {
      requireOwn(folderOf(file), "replace", "rwxr-xr-x");
      requireOwn(file, "read", "rw-------");
    }
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length != BYTES) {
      throw new IOException(
          "the secret %s has %d bytes; expected %d; %s".formatted(file, bytes.length, BYTES, CURE));
    }
    return new Secret(file, bytes);
  }

  private static Path folderOf(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
  }

  /// Checks that the file or its folder belongs to this user, and is not open to others.
  ///
  /// @param danger what others could do with it
  /// @param expected the permissions that it may have
  private static void requireOwn(Path place, String danger, String expected) throws IOException {
    PosixFileAttributes found =
        Files.readAttributes(place, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    UserPrincipal self = Files.exists(PROCESS) ? Files.getOwner(PROCESS) : found.owner();
    if (!found.owner().equals(self)) {
      throw new IOException(
          "the secret %s belongs to %s; expected %s; %s"
              .formatted(place, found.owner().getName(), self.getName(), CURE));
    }
    if (!PosixFilePermissions.fromString(expected).containsAll(found.permissions())) {
      throw new IOException(
          "others can %s the secret %s: its permissions are %s; expected %s; %s"
              .formatted(
                  danger,
                  place,
                  PosixFilePermissions.toString(found.permissions()),
                  expected,
                  CURE));
    }
  }

  private static boolean hasPermissions(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /// Creates the file complete, since another process may create it at the same time.
  private static void create(Path file) throws IOException {
    Path folder = folderOf(file);
    Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    Path draft = Files.createTempFile(folder, FILE, ".new"); // readable by the owner only
    try {
      Files.write(draft, bytes);
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      return; // another process was faster
    } finally {
      Files.delete(draft);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path folder, String permissions) {
    return hasPermissions(folder)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /// Returns the file, for error messages.
  Path file() {
    return file;
  }

  /// Returns the HMAC-SHA-256 (RFC 2104) of a message, with the secret as its key.
  byte[] code(byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
