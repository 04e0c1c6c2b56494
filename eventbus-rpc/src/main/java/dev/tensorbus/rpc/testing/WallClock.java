// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/// A wall clock that a test can step while a process uses it, as an operator or NTP may step a
/// machine's clock. The process sees it through a preloaded library. Monotonic clocks are not
/// affected.
///
/// Requires Linux and the C compiler `cc`; see [#isAvailable].
public final class WallClock {
  private static final String SOURCE = "wallclock.c";
  private static final String LIBRARY = "wallclock.so";

  private final Path library;
  private final Path file;
  private final MemorySegment offset;

  private WallClock(Path library, Path file) throws IOException {
    this.library = library;
    this.file = file;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      offset = channel.map(MapMode.READ_WRITE, 0, Long.BYTES, Arena.ofAuto());
    }
  }

  /// Returns whether this machine supports such a clock.
  public static boolean isAvailable() {
    try {
      return System.getProperty("os.name").equals("Linux") && run("cc", "--version") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// Creates a clock that shows the machine's time.
  ///
  /// @param folder the folder for the clock's files; several clocks may share it
  public static WallClock in(Path folder) {
    try {
      Path library = folder.resolve(LIBRARY);
      if (!Files.exists(library)) {
        compile(folder, library);
      }
      return new WallClock(library, Files.createTempFile(folder, "wallclock", ".offset"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a wall clock in " + folder, e);
    }
  }

  private static void compile(Path folder, Path library) throws IOException {
    Path source = folder.resolve(SOURCE);
    try (InputStream text = WallClock.class.getResourceAsStream(SOURCE)) {
      Files.copy(Objects.requireNonNull(text, SOURCE), source);
    }
    int status = run("cc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString());
    if (status != 0) {
      throw new IOException("cc ended with " + status + " on " + source);
    }
  }

  private static int run(String... command) throws IOException {
    try {
      return new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start()
          .waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns the environment variables of a process that uses this clock.
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "TENSORBUS_WALL_CLOCK", file.toString());
  }

  /// Moves the clock forward, or backward if `change` is negative, immediately and for all
  /// processes that use it.
  public void step(Duration change) {
    offset.set(ValueLayout.JAVA_LONG, 0, offset.get(ValueLayout.JAVA_LONG, 0) + change.toNanos());
  }
}
