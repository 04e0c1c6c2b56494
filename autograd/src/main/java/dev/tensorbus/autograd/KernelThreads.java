// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Parallel;
import java.util.function.IntConsumer;

/// The threads that kernels compute on: as many as the system property `tensorbus.threads` says,
/// else one for each core.
public final class KernelThreads {
  private KernelThreads() {}

  /// How many there are.
  public static int count() {
    return Parallel.configured();
  }

  /// Runs `task` for each number below `tasks`, in no order, and returns when all are done. The
  /// calling thread takes part.
  public static void run(int tasks, IntConsumer task) {
    Parallel.shared().run(tasks, task);
  }
}
