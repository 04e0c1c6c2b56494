// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonObject;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/// Reads the memory usage of this JVM.
final class JvmMemory {
  private JvmMemory() {}

  /// Returns, in bytes, the used heap, the maximum heap, and the direct and mapped buffers, and
  /// also the milliseconds spent in garbage collection.
  static JsonObject now() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    JsonObject memory =
        new JsonObject()
            .put("heap", heap.getUsed())
            .put("heapMax", heap.getMax())
            .put("gcMs", collectionMillis());
    ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct") || pool.getName().equals("mapped"))
        .forEach(pool -> memory.put(pool.getName(), pool.getMemoryUsed()));
    return memory;
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
