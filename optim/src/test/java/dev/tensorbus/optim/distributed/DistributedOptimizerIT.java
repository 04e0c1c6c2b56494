// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import org.junit.jupiter.api.AutoClose;

/// Distributed optimizers, each owner of parameters in a JVM of its own.
class DistributedOptimizerIT extends DistributedOptimizerContract {
  @AutoClose private static final ProcessWorkers JVMS = new ProcessWorkers(WORKERS);

  DistributedOptimizerIT() {
    super(JVMS.first());
  }
}
