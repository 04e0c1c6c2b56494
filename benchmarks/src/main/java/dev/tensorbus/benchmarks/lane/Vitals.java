// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.lane;

import dev.tensorbus.rpc.Remote;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The resource usage of a process, which must not grow. Some values are 0 on systems other than
/// Linux.
final class Vitals {
  /// The names of the values of [#measure], in order.
  static final List<String> NAMES =
      List.of("heap", "direct", "mapped", "resident", "threads", "files");

  static final List<String> UNITS = List.of("MiB", "MiB", "MiB", "MiB", "threads", "files");

  private static final double MIB = 1 << 20;
  private static final Path PROCESS = Path.of("/proc/self");

  private Vitals() {}

  /// Collects garbage and returns the resource usage of this process.
  @Remote
  static List<Double> measure() {
    System.gc();
    return List.of(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB,
        direct() / MIB,
        mapped() / MIB,
        status("VmRSS:") * 1024 / MIB,
        status("Threads:"),
        files());
  }

  private static double direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToDouble(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /// Returns the size of the mapped lane files, which no management bean reports.
  private static double mapped() {
    return lines("maps").stream()
        .filter(line -> line.contains("tensorbus-"))
        .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
        .mapToDouble(ends -> Long.parseLong(ends[1], 16) - Long.parseLong(ends[0], 16))
        .sum();
  }

  private static double status(String key) {
    return lines("status").stream()
        .filter(line -> line.startsWith(key))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
        .sum();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(PROCESS.resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static double files() {
    try (Stream<Path> open = Files.list(PROCESS.resolve("fd"))) {
      return open.count();
    } catch (IOException e) {
      return 0;
    }
  }
}
