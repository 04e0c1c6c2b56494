// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.rpc.testing.MemoryWorld;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/// Distributed optimizers, all workers in this JVM.
class DistributedOptimizerTest extends DistributedOptimizerContract {
  @AutoClose private static MemoryWorld here;

  DistributedOptimizerTest() {
    super(here.worker(0));
  }

  @BeforeAll
  static void open() {
    here = new MemoryWorld(WORKERS);
  }
}
