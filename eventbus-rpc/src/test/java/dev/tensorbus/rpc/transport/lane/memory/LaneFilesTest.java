// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.transport.lane.memory.LaneFiles.Offered;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LaneFilesTest {
  private static final String NOBODYS = "tensorbus-0-1.lane";

  @TempDir private Path folder;

  private LaneFiles files() {
    return new LaneFiles(List.of(folder));
  }

  @Test
  void onlyTheOwnerMayOpenAFile() throws IOException {
    Offered offered = files().create(1);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(offered.path())))
        .isEqualTo("rw-------");
    offered.unlink();
    assertThat(folder).isEmptyDirectory();
    offered.slots().close();
  }

  @Test
  void aFileOfAnotherTokenIsRefused() throws IOException {
    Offered offered = files().create(1);
    assertThatThrownBy(() -> files().open(offered.path().toString(), 2))
        .hasMessage("not the file that was offered");
    offered.unlink();
    offered.slots().close();
  }

  @Test
  void aFileElsewhereIsRefused() {
    assertThatThrownBy(() -> files().open("/etc/passwd", 1))
        .hasMessage("not a lane's file: /etc/passwd");
  }

  @Test
  void aFileThatOthersMayReadIsRefused() throws IOException {
    Offered offered = files().create(1);
    Files.setPosixFilePermissions(offered.path(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> files().open(offered.path().toString(), 1))
        .hasMessage("not a file that only this user may open: " + offered.path());
    offered.unlink();
    offered.slots().close();
  }

  @Test
  void aLinkIsRefused() throws IOException {
    Offered offered = files().create(1);
    Path link = Files.createSymbolicLink(folder.resolve(NOBODYS), offered.path());
    assertThatThrownBy(() -> files().open(link.toString(), 1))
        .hasMessage("not a file that only this user may open: " + link);
    offered.unlink();
    offered.slots().close();
  }

  @Test
  void aFileOfAnotherSizeIsRefused() throws IOException {
    Path file = folder.resolve(NOBODYS);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    assertThatThrownBy(() -> files().open(file.toString(), 1))
        .hasMessage("a lane's file has " + MappedSlots.SIZE + " bytes, this one 0");
  }

  @Test
  void whoStartsRemovesWhatTheDeadLeft() throws IOException {
    Path left = create(NOBODYS);
    Files.setLastModifiedTime(left, FileTime.fromMillis(1));
    Path fresh = create("tensorbus-0-2.lane");
    Path locked = create("tensorbus-0-3.lane");
    try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      Files.setLastModifiedTime(locked, FileTime.fromMillis(1));
      files().sweep();
      assertThat(lock.isValid()).isTrue();
    }
    assertThat(left).doesNotExist();
    assertThat(fresh).exists();
    assertThat(locked).exists();
  }

  private Path create(String name) throws IOException {
    return Files.createFile(
        folder.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /// Opening a named pipe would wait for its reader.
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "needs mkfifo")
  void aNamedPipeIsLeftWhereItIs() throws Exception {
    Path pipe = folder.resolve(NOBODYS);
    assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start().waitFor())
        .isZero();
    files().sweep();
    assertThat(pipe).exists();
  }

  @Test
  void withoutAFolderThereIsNoFile() {
    assertThatThrownBy(() -> new LaneFiles(List.of()).create(1))
        .hasMessage("no folder for shared memory found");
    assertThatThrownBy(() -> new LaneFiles(List.of(folder.resolve("absent"))).create(1))
        .isInstanceOf(IOException.class);
  }
}
