// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The memory that may be used to read one file. A small file may announce, or decompress to, more
/// data than fits into the heap. Therefore all data set readers count the memory they allocate, and
/// throw a [DataException] instead of an `OutOfMemoryError` if it exceeds the budget.
///
/// The limit is the number of bytes in the system property [#LIMIT] or, if it is not set, half of
/// the maximum heap size (`-Xmx`).
public final class ReadBudget {
  /// The system property that sets the limit in bytes, for example
  /// `-Dtensorbus.readLimit=8000000000`.
  public static final String LIMIT = "tensorbus.readLimit";

  private final Path file;
  private final long limit;
  private long taken;

  private ReadBudget(Path file, long limit) {
    this.file = file;
    this.limit = limit;
  }

  /// Returns a new budget for reading a file.
  public static ReadBudget of(Path file) {
    return new ReadBudget(file, Long.getLong(LIMIT, Runtime.getRuntime().maxMemory() / 2));
  }

  /// Reserves memory that is about to be allocated and retained.
  ///
  /// @param count number of values
  /// @param bytes size of a value in bytes
  /// @throws DataException if the budget is exceeded
  public void take(long count, int bytes) {
    requireLeft(count, bytes);
    taken += count * bytes;
  }

  /// Checks that memory for temporary use is available, without reserving it.
  ///
  /// @throws DataException if the budget is exceeded
  public void requireLeft(long count, int bytes) {
    if (count > (limit - taken) / bytes) {
      long needed = count > (Long.MAX_VALUE - taken) / bytes ? Long.MAX_VALUE : count * bytes;
      throw new DataException(
          String.format(
              Locale.ROOT,
              "%s: this file of %s needs at least %,d bytes of memory, but the limit per file is"
                  + " %,d; use a smaller file, or raise -Xmx or -D%s",
              file,
              size(),
              taken + needed,
              limit,
              LIMIT));
    }
  }

  private String size() {
    try {
      return String.format(Locale.ROOT, "%,d bytes", Files.size(file));
    } catch (IOException e) {
      return "unknown size";
    }
  }
}
