// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.MomentumSpec;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.consistency.Consistency;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Warns of momentum together with stale gradients, which act like momentum themselves (Mitliagkas
/// et al., "Asynchrony begets Momentum", 2016).
final class StaleMomentum {
  private static final Logger LOG = System.getLogger(StaleMomentum.class.getName());

  private StaleMomentum() {}

  static void warn(OptimizerSpec optimizer, Consistency consistency) {
    if (consistency.isStale() && optimizer instanceof MomentumSpec it && it.momentum() > 0) {
      LOG.log(
          Level.WARNING,
          "{0} with {1}: stale gradients act like more momentum, and the loss may diverge; use less"
              + " momentum or a lower learning rate",
          consistency,
          optimizer);
    }
  }
}
