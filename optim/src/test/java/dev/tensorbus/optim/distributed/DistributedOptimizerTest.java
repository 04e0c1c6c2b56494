// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import org.junit.jupiter.api.AutoClose;

/// Distributed optimizers, all workers in this JVM.
class DistributedOptimizerTest extends DistributedOptimizerContract {
  @AutoClose private static final Workers HERE = new Workers(WORKERS);

  DistributedOptimizerTest() {
    super(HERE.worker(0));
  }
}
