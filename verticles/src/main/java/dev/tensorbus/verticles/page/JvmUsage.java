// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.json.JsonObject;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/// Reads the memory and processor usage of this JVM.
final class JvmUsage {
  private JvmUsage() {}

  /// Returns, in bytes, the used heap, the maximum heap, and the direct and mapped buffers, and
  /// also the milliseconds spent in garbage collection, the nanoseconds of processor time and the
  /// number of cores.
  static JsonObject now() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    JsonObject usage =
        new JsonObject()
            .put("heap", heap.getUsed())
            .put("heapMax", heap.getMax())
            .put("gcMs", collectionMillis())
            .put("cpuNanos", cpuNanos())
            .put("cores", Runtime.getRuntime().availableProcessors());
    ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct") || pool.getName().equals("mapped"))
        .forEach(pool -> usage.put(pool.getName(), pool.getMemoryUsed()));
    return usage;
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
