// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// The memory of a worker, whose JVM has the flags of this one.
///
/// @param heap the most that its heap takes, in bytes
/// @param memory that of the machine or, in a container, the container's
/// @param hasHugePages whether Linux gives huge pages to a JVM that asks for them
record MemoryCheck(long heap, long memory, boolean hasHugePages) implements Check {
  /// `train batch` runs in as much, and in 16 MiB no worker gets as far as its first step.
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
      return true; // another system, which has no such switch
    }
  }

  @Override
  public Finding finding() {
    String found = "a heap of %s for each worker, of %s".formatted(Size.of(heap), Size.of(memory));
    String cure = "; give more memory, or -Xmx in JDK_JAVA_OPTIONS";
    if (heap < LEAST_HEAP) {
      return Finding.bad(found + ": no worker fits" + cure);
    }
    if (heap < SMALL_HEAP) {
      return Finding.weak(found + ": for small models" + cure);
    }
    return hasHugePages
        ? Finding.ok(found + ": tensors live there")
        : Finding.weak(
            found
                + ": fresh tensors take longer without huge pages; write madvise into "
                + HUGE_PAGES);
  }
}
