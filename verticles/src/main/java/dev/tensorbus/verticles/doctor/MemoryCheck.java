// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks the memory of a worker whose JVM has the same flags as this one.
///
/// @param heap the maximum heap size in bytes
/// @param memory the memory of the machine or container in bytes
/// @param hasHugePages whether Linux grants huge pages to a JVM that requests them; true on other
///     systems
record MemoryCheck(long heap, long memory, boolean hasHugePages) implements Check {
  /// `train batch` runs with a heap of 24 MiB. With 16 MiB, no worker reaches its first step.
  private static final long LEAST_HEAP = Size.MIB.times(24);

  private static final long SMALL_HEAP = Size.MIB.times(512);
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  static MemoryCheck here() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new MemoryCheck(
        Runtime.getRuntime().maxMemory(), system.getTotalMemorySize(), givesHugePages());
  }

  private static boolean givesHugePages() {
    try {
      return !Files.readString(HUGE_PAGES).contains("[never]");
    } catch (IOException e) {
      return true; // not Linux
    }
  }

  @Override
  public Finding finding() {
    String found =
        "a heap of %s per worker, out of %s of memory".formatted(Size.of(heap), Size.of(memory));
    String cure = "; add memory, or set -Xmx in JDK_JAVA_OPTIONS";
    if (heap < LEAST_HEAP) {
      return Finding.bad(found + ": too small for any worker" + cure);
    }
    if (heap < SMALL_HEAP) {
      return Finding.weak(found + ": enough for small models only" + cure);
    }
    return hasHugePages
        ? Finding.ok(found + ": tensors are stored on the heap")
        : Finding.weak(
            found
                + ": allocating tensors is slower without huge pages; write madvise into "
                + HUGE_PAGES);
  }
}
