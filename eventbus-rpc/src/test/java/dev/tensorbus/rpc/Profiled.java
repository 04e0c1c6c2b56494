// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.profiler.RecordFunction;

/// Methods that other workers call and that a profile shows.
public final class Profiled {
  @Remote
  public Profiled() {}

  @Remote
  public static Tensor add(Tensor a, Tensor b) {
    return a.add(b);
  }

  @Remote
  public static Tensor several(Tensor a, Tensor b) {
    return a.add(b).mul(b).relu().clamp(-1, 1).sigmoid();
  }

  /// Has a block around some of its work.
  @Remote
  public static Tensor blocks(Tensor a, Tensor b) {
    try (RecordFunction _ = RecordFunction.begin("foo")) {
      return several(a, b);
    }
  }

  /// Has another worker add.
  @Remote
  public static Tensor nested(String to, Tensor a, Tensor b) {
    return Rpc.current().rpcSync(to, Profiled::add, a, b).mul(b);
  }

  @Remote
  public Tensor sub(Tensor a, Tensor b) {
    return a.sub(b);
  }

  @Remote
  public Tensor plus(Tensor a, Tensor b) {
    return a.add(b);
  }
}
