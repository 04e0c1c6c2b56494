// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The number of pushes that a trainer has begun, and of those that were acknowledged. They are in
/// a mapped file, which a killed process leaves as it was. The pushes of a life are numbered from
/// 1, and each begins after the former was acknowledged.
final class PushCounts {
  private static final long ACKNOWLEDGED_AT = Long.BYTES;
  private static final String SEPARATOR = "@";

  private final MemorySegment counts;

  private PushCounts(MemorySegment counts) {
    this.counts = counts;
  }

  /// One life of a trainer.
  ///
  /// @param begun the number of pushes
  /// @param acknowledged the number of those that were acknowledged: all, or all but the last
  record Pushed(long begun, long acknowledged) {
    /// Returns the sum of the numbers of the acknowledged pushes.
    long sum() {
      return acknowledged * (acknowledged + 1) / 2;
    }

    boolean isCutOff() {
      return begun > acknowledged;
    }
  }

  /// Creates the file of a life.
  static PushCounts create(Path folder, String trainer) {
    Path file = folder.resolve(trainer + SEPARATOR + ProcessHandle.current().pid());
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return new PushCounts(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES, Arena.global()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Records that a push begins, and returns its number.
  long begin() {
    long number = counts.get(ValueLayout.JAVA_LONG, 0) + 1;
    counts.set(ValueLayout.JAVA_LONG, 0, number);
    return number;
  }

  /// Records that a push was acknowledged.
  void acknowledged(long number) {
    counts.set(ValueLayout.JAVA_LONG, ACKNOWLEDGED_AT, number);
  }

  /// Reads the files of all lives of a trainer.
  static List<Pushed> read(Path folder, String trainer) {
    List<Pushed> lives = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith(trainer + SEPARATOR)).toList()) {
        MemorySegment counts = MemorySegment.ofArray(Files.readAllBytes(file));
        lives.add(
            new Pushed(
                counts.get(ValueLayout.JAVA_LONG_UNALIGNED, 0),
                counts.get(ValueLayout.JAVA_LONG_UNALIGNED, ACKNOWLEDGED_AT)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lives;
  }

  /// Says what is wrong with the sum of a trainer's pushes, or returns null: it must contain each
  /// acknowledged push, and may contain the last push of a life that was cut off.
  static @Nullable String wrong(List<Pushed> lives, long sum) {
    long acknowledged = lives.stream().mapToLong(Pushed::sum).sum();
    List<Long> open = lives.stream().filter(Pushed::isCutOff).map(Pushed::begun).toList();
    return isSumOfSome(open, sum - acknowledged)
        ? null
        : "the sum is %d; expected %d, and perhaps some of the unanswered pushes %s"
            .formatted(sum, acknowledged, open);
  }

  private static boolean isSumOfSome(List<Long> numbers, long sum) {
    if (numbers.isEmpty() || sum <= 0) {
      return sum == 0;
    }
    List<Long> rest = numbers.subList(1, numbers.size());
    return isSumOfSome(rest, sum) || isSumOfSome(rest, sum - numbers.getFirst());
  }
}
