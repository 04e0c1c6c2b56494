// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

/// Which of one caller's calls have come, in bounded memory: a bit for each of the latest 65,536
/// numbers, as IPsec knows repeated packets (RFC 6479). What is older counts as seen: that it
/// never came is not certain. Guarded by its owner.
public final class SeenNumbers {
  private static final int WINDOW = 1 << 16;

  private final long[] bits = new long[WINDOW / Long.SIZE];
  private long newest = -1;

  /// Whether a number has come, or may have.
  public boolean contains(long number) {
    return number <= newest - WINDOW
        || (number <= newest && (bits[word(number)] & (1L << number)) != 0);
  }

  /// Whether a number is too old to tell.
  public boolean isForgotten(long number) {
    return number <= newest - WINDOW;
  }

  /// Notes a number that is not forgotten.
  public void add(long number) {
    for (long next = Math.max(newest + 1, number - WINDOW + 1); next <= number; next++) {
      bits[word(next)] &= ~(1L << next);
    }
    newest = Math.max(newest, number);
    bits[word(number)] |= 1L << number;
  }

  private static int word(long number) {
    return (int) (number % WINDOW) / Long.SIZE;
  }
}
