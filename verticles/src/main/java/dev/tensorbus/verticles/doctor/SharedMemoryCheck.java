// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Checks the shared memory through which processes exchange large tensors.
///
/// @param free the free bytes; empty if this process has no shared memory
record SharedMemoryCheck(OptionalLong free) implements Check {
  private static final Path FOLDER = Path.of("/dev/shm");

  /// Three workers open six lanes of 8 MiB. A lane is opened only if four times its size is free.
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
          "%s is missing or not writable: large tensors go through temporary files or connections"
              .formatted(FOLDER));
    }
    String found = "%s in %s is free".formatted(Size.of(free.getAsLong()), FOLDER);
    return free.getAsLong() < THREE_WORKERS
        ? Finding.weak(
            found
                + ", too little for three workers: large tensors go through temporary files;"
                + " delete files there, or start the container with --shm-size=1g")
        : Finding.ok(found + ": carries large tensors between the workers of this machine");
  }
}
