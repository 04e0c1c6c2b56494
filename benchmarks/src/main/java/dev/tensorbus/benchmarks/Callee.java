// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;

/// What a worker calls on another that costs nothing but the call.
final class Callee {
  private Callee() {}

  @Remote
  static void noop() {}

  @Remote(brief = true)
  static void briefNoop() {}

  @Remote
  static Tensor echo(Tensor value) {
    return value;
  }
}
