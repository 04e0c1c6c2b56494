// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The memory that reading one file may take. A file that needs more is a [DataException], not an
/// `OutOfMemoryError`: a small file may announce, or unpack to, more than the heap. All readers of
/// data sets count what they keep.
///
/// The limit is half of the heap's maximum size (`-Xmx`), or as many bytes as the system property
/// [#LIMIT] says.
public final class ReadBudget {
  /// The system property that sets the limit in bytes: `-Dtensorbus.readLimit=8000000000`.
  public static final String LIMIT = "tensorbus.readLimit";

  private final Path file;
  private final long limit;
  private long taken;

  private ReadBudget(Path file, long limit) {
    this.file = file;
    this.limit = limit;
  }

  /// The whole budget, for one file.
  public static ReadBudget of(Path file) {
    return new ReadBudget(file, Long.getLong(LIMIT, Runtime.getRuntime().maxMemory() / 2));
  }

  /// Counts memory that is about to be allocated and kept.
  ///
  /// @param count how many values of `bytes` bytes each
  /// @throws DataException if there is not so much left
  public void take(long count, int bytes) {
    requireLeft(count, bytes);
    taken += count * bytes;
  }

  /// Checks that so much memory is left for a short time.
  ///
  /// @throws DataException if there is not so much left
  public void requireLeft(long count, int bytes) {
    if (count > (limit - taken) / bytes) {
      long needed = count > (Long.MAX_VALUE - taken) / bytes ? Long.MAX_VALUE : count * bytes;
      throw new DataException(
          String.format(
              Locale.ROOT,
              "%s: this file of %s takes at least %,d bytes of memory, and one file may take %,d;"
                  + " give a smaller one, or raise -Xmx or -D%s",
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
