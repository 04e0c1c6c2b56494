// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import java.util.Locale;

/// Units of memory.
enum Size {
  MIB(1L << 20, "MiB"),
  GIB(1L << 30, "GiB");

  private final long bytes;
  private final String label;

  Size(long bytes, String label) {
    this.bytes = bytes;
    this.label = label;
  }

  long times(int count) {
    return count * bytes;
  }

  /// Formats a size for people: `512 MiB`, `1.5 GiB`.
  static String of(long bytes) {
    return bytes < GIB.bytes
        ? bytes / MIB.bytes + " " + MIB.label
        : String.format(Locale.ROOT, "%.1f %s", (double) bytes / GIB.bytes, GIB.label);
  }
}
