// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import dev.tensorbus.launch.Jvm;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;

/// A benchmark in a single process. Runs one JVM for each number of threads, because a JVM reads
/// this number only once.
///
/// @param name the name on the command line
/// @param summary what the benchmark measures
/// @param program the main class that makes the measurements
public record KernelBenchmark(String name, String summary, Class<?> program) implements Benchmark {
  private static final int MOST_THREADS = 2;

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
      int code = run(program, threads, List.of());
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  /// Runs a main class in a new JVM with the given number of compute threads, and returns its exit
  /// code.
  public static int run(Class<?> program, int threads, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        Jvm.current()
            .command(List.of("-Dtensorbus.threads=" + threads), program.getName(), arguments);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /// Returns the suffix of a figure's name: the number of compute threads of this JVM.
  public static String suffix() {
    return ".threads" + Integer.getInteger("tensorbus.threads");
  }
}
