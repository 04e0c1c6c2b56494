// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.lane;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/// The remote methods of the lane benchmarks.
final class Errands {
  private int count;

  @Remote
  Errands() {}

  @Remote
  synchronized int count() {
    return ++count;
  }

  @Remote
  static void noop() {}

  @Remote
  static Tensor echo(Tensor value) {
    return value;
  }

  @Remote
  static int take(Tensor value) {
    return value.shape().elements();
  }

  /// Returns a future that never completes; a call to this method ends only by cancellation or
  /// timeout.
  @Remote
  static Future<Tensor> keep(Tensor value) {
    return Promise.<Tensor>promise().future();
  }
}
