// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import io.vertx.core.Deployable;
import io.vertx.core.Future;

/// A worker of one program: a verticle that answers calls once it is deployed, and that is
/// undeployed when its work is done.
public interface Worker extends Deployable {
  /// Completes when the work is done, for the other workers too: nobody will call this one again
  /// and its process may end. Fails, with a message for the user, when the work cannot be done.
  Future<Void> finished();
}
