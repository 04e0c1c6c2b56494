// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The shared memory that large tensors take from one process to another.
///
/// @param free the bytes that are left there; empty where this process has none
record SharedMemoryCheck(OptionalLong free) implements Check {
  private static final Path FOLDER = Path.of("/dev/shm");

  /// Three workers open six lanes of 8 MiB, each only where four times as much is free.
  private static final long THREE_WORKERS = Size.MIB.times(6 * 8 + 4 * 8);

  static SharedMemoryCheck here() {
    try {
      return new SharedMemoryCheck(
          Files.isWritable(FOLDER)
              ? OptionalLong.of(Files.getFileStore(FOLDER).getUsableSpace())
              : OptionalLong.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Finding finding() {
    if (free.isEmpty()) {
      return Finding.weak(
          "no %s that can be written: large tensors go through temporary files or connections"
              .formatted(FOLDER));
    }
    String found = "%s in %s is free".formatted(Size.of(free.getAsLong()), FOLDER);
    return free.getAsLong() < THREE_WORKERS
        ? Finding.weak(
            found
                + ", too little for three workers: large tensors go through temporary files;"
                + " remove files there, or start the container with --shm-size=1g")
        : Finding.ok(found + ": large tensors go through it to other workers here");
  }
}
