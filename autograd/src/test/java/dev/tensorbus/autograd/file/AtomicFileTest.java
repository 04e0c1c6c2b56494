// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir private Path folder;

  @Test
  void aFileIsReplacedAndNothingElseIsLeft() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "a longer text");
    AtomicFile.write(file, channel -> write(channel, "short"));
    assertThat(file).hasContent("short");
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void aWriteThatFailsLeavesTheOldFileAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    channel -> {
                      write(channel, "half");
                      throw new IOException("no space left");
                    }))
        .hasMessage("no space left");
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void aSymbolicLinkIsReplacedAndNotFollowed() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "somebody's own");
    Path file = Files.createSymbolicLink(folder.resolve("file"), other);
    AtomicFile.write(file, channel -> write(channel, "new"));
    assertThat(file).isRegularFile().hasContent("new");
    assertThat(Files.isSymbolicLink(file)).isFalse();
    assertThat(other).hasContent("somebody's own");
  }

  @Test
  void aFolderOrADeviceIsNotReplaced() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    assertThatThrownBy(() -> AtomicFile.write(inner, channel -> write(channel, "x")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageEndingWith("inner: is not a regular file");
    assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/null"), channel -> write(channel, "x")))
        .hasMessage("/dev/null: is not a regular file");
  }

  @Test
  void aDraftHasANameThatUsersDoNotGive() throws IOException {
    AtomicFile.write(
        folder.resolve("file"),
        _ ->
            assertThat(folder.toFile().list())
                .singleElement()
                .asString()
                .matches("file" + AtomicFile.DRAFT));
  }

  private static void write(FileChannel file, String text) throws IOException {
    file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }
}
