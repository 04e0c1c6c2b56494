// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;

/// Checks the cores that this process may use.
///
/// @param usable the number of cores that the JVM reports
/// @param present the number of cores of the machine
/// @param limit the CPU limit of the cgroup in cores, if it has one
record CoresCheck(int usable, int present, OptionalDouble limit) implements Check {
  private static final Path PRESENT = Path.of("/sys/devices/system/cpu/online");
  private static final Path LIMIT = Path.of("/sys/fs/cgroup/cpu.max");

  static CoresCheck here() {
    int usable = Runtime.getRuntime().availableProcessors();
    return new CoresCheck(usable, online(usable), parse(read(LIMIT)));
  }

  /// Returns the number of online cores, which Linux lists as ranges such as `0-3,8`.
  private static int online(int usable) {
    int count = 0;
    for (String range : read(PRESENT).split(",", -1)) {
      String[] ends = range.split("-", 2);
      try {
        count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
      } catch (NumberFormatException e) {
        return usable; // not Linux
      }
    }
    return count;
  }

  /// Parses `cpu.max`: a quota of CPU time and its period in microseconds, such as `200000 100000`
  /// for two cores, or `max 100000` for no limit.
  static OptionalDouble parse(String text) {
    String[] numbers = text.split(" ", 2);
    return text.isEmpty() || numbers[0].equals("max")
        ? OptionalDouble.empty()
        : OptionalDouble.of(Double.parseDouble(numbers[0]) / Double.parseDouble(numbers[1]));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return ""; // not Linux
    }
  }

  @Override
  public Finding finding() {
    String found = usable + (usable < present ? " of this machine's " + present : "") + allowed();
    return usable > 1
        ? Finding.ok(found + ": each worker uses all of them, or --threads N")
        : Finding.weak(found + ": the workers of a world share it; give this process more cores");
  }

  private String allowed() {
    return limit.isPresent()
        ? String.format(Locale.ROOT, " (the cgroup allows CPU time for %.1f)", limit.getAsDouble())
        : "";
  }
}
