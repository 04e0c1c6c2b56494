// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import dev.tensorbus.launch.Jvm;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;

/// Arithmetic of one process: a JVM for each number of threads, which a JVM settles once.
///
/// @param name what the user calls it
/// @param program the main class that measures
public record KernelBenchmark(String name, Class<?> program) implements Benchmark {
  private static final int MOST_THREADS = 2;

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
      int code = new ProcessBuilder(command(threads)).inheritIO().start().waitFor();
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  private List<String> command(int threads) {
    return Jvm.current()
        .command(List.of("-Dtensorbus.threads=" + threads), program.getName(), List.of());
  }

  /// The end of a figure's name: how many threads this JVM computes with.
  public static String suffix() {
    return ".threads" + Integer.getInteger("tensorbus.threads");
  }
}
