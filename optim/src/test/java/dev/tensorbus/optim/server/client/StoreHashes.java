// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import java.util.logging.LogManager;

/// Runs seeds, and prints for each one the hash of its trace, and what did not hold, if anything.
final class StoreHashes {
  private StoreHashes() {}

  /// @param args the first seed, and the number of seeds
  public static void main(String[] args) {
    LogManager.getLogManager().reset(); // deaths are on purpose
    long first = Long.parseLong(args[0]);
    for (long seed = first; seed < first + Long.parseLong(args[1]); seed++) {
      System.out.println(line(seed));
    }
  }

  static String line(long seed) {
    StoreRun.Result result = StoreRun.of(seed).run();
    return "%d %016x %s".formatted(seed, result.hash(), result.violation().orElse("fine"));
  }
}
