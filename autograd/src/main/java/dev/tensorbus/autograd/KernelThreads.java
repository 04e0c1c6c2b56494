// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Parallel;
import java.util.function.IntConsumer;

/// The threads that kernels run on. The system property `tensorbus.threads` sets their number
/// (default: the number of cores).
public final class KernelThreads {
  private KernelThreads() {}

  /// Returns the number of threads.
  public static int count() {
    return Parallel.configured();
  }

  /// Runs `task` for each index below `tasks`, in any order, and returns when all are done. The
  /// calling thread takes part.
  public static void run(int tasks, IntConsumer task) {
    Parallel.shared().run(tasks, task);
  }
}
