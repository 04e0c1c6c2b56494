// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/// Distributed optimizers, all workers in this JVM.
class DistributedOptimizerTest extends DistributedOptimizerContract {
  @AutoClose private static Workers here;

  DistributedOptimizerTest() {
    super(here.worker(0));
  }

  @BeforeAll
  static void open() {
    here = new Workers(WORKERS);
  }
}
