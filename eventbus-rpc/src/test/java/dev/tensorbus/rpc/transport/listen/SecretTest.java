// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "its files have no POSIX permissions")
class SecretTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  @TempDir private Path home;

  private Path file;

  @BeforeEach
  void chooseFile() {
    file = home.resolve(".tensorbus").resolve("secret");
  }

  @Test
  void onlyItsOwnerCanReadIt() throws IOException {
    Secret.of(file);
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(file.getParent())).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void allProcessesOfAUserHaveTheSame() {
    List<CompletableFuture<byte[]>> codes =
        Stream.generate(() -> CompletableFuture.supplyAsync(this::code)).limit(16).toList();
    byte[] first = codes.getFirst().join();
    assertThat(codes).allSatisfy(code -> assertThat(code.join()).isEqualTo(first));
  }

  private byte[] code() {
    try {
      return Secret.of(file).code(MESSAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyUserHasAnother() throws IOException {
    byte[] others = Secret.of(home.resolve("other").resolve("secret")).code(MESSAGE);
    assertThat(code()).isNotEqualTo(others);
  }

  @Test
  void oneThatOthersCanReadIsNone() throws IOException {
    Secret.of(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatIOException()
        .isThrownBy(() -> Secret.of(file))
        .withMessage(
            "others can read the secret %s: its permissions are rw-r--r--; expected rw-------;"
                    .formatted(file)
                + " stop the worlds of this user and delete the file");
  }

  @Test
  void oneInAFolderThatOthersCanChangeIsNone() throws IOException {
    Secret.of(file);
    Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatIOException()
        .isThrownBy(() -> Secret.of(file))
        .withMessageStartingWith(
            "others can replace the secret %s: its permissions are rwxrwxrwx; expected rwxr-xr-x;"
                .formatted(file.getParent()));
  }

  @Test
  void oneOfAnotherUserIsNone() throws IOException {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).as("root").isEqualTo(0);
    Secret.of(file);
    Files.setAttribute(file, "unix:uid", 65_534);
    assertThatIOException()
        .isThrownBy(() -> Secret.of(file))
        .withMessageStartingWith("the secret %s belongs to ".formatted(file));
  }

  @Test
  void aLinkToAnotherFileIsNone() throws IOException {
    Path elsewhere = home.resolve("elsewhere");
    Secret.of(file);
    Files.move(file, elsewhere);
    Files.createSymbolicLink(file, elsewhere);
    assertThatIOException().isThrownBy(() -> Secret.of(file)); // its permissions are rwxrwxrwx
  }

  @Test
  void oneOfAnotherLengthIsNone() throws IOException {
    Secret.of(file);
    Files.write(file, new byte[31]);
    assertThatIOException()
        .isThrownBy(() -> Secret.of(file))
        .withMessage(
            "the secret %s has 31 bytes; expected 32; stop the worlds of this user and delete the"
                    .formatted(file)
                + " file");
  }
}
