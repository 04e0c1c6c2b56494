// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;

/// All workers on one Vertx without a cluster.
class LocalRpcTest extends RpcContract {
  @Override
  World open(int size) {
    Vertx vertx = Vertx.vertx();
    return World.of(size, rank -> vertx);
  }
}
