// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// The functions that the tests export.
final class Functions {
  private Functions() {}

  @Remote
  @Exported("describe")
  static Map<String, Object> describe(
      String text,
      int whole,
      double number,
      boolean truth,
      List<Object> list,
      Map<String, Object> map) {
    return Map.of(
        "worker", Rpc.current().self().name(),
        "text", text,
        "whole", whole,
        "number", number,
        "truth", truth,
        "list", list,
        "map", map);
  }

  @Remote
  @Exported("same")
  static Tensor same(Tensor tensor) {
    return tensor;
  }

  @Remote
  @Exported("add")
  static Tensor add(Tensor a, Tensor b) {
    return a.add(b);
  }

  /// The value of the worker's leaf now.
  @Remote
  @Exported("weights")
  static Tensor weights() {
    return Weights.of(Rpc.current()).leaf();
  }

  /// How many values the tensor in a list in a list has.
  @Remote
  @Exported("second")
  static long second(List<List<Tensor>> nested) {
    return nested.getFirst().getFirst().shape().elements();
  }

  @Remote
  @Exported("fail")
  static void fail(String message) {
    throw new IllegalStateException(message);
  }

  @Remote
  @Exported("later")
  static Future<String> later(String text) {
    return Future.succeededFuture(text);
  }

  /// Waits until the caller gives up.
  @Remote
  @Exported("wait")
  static void await() throws InterruptedException {
    Waits waits = Rpc.current().shared(Waits.class, Waits::new);
    waits.begun().countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      waits.ended().countDown();
      throw e;
    }
  }

  @Remote
  static String secret() {
    return "not for strangers";
  }

  /// A large leaf that a worker keeps, of ones at first.
  record Weights(Tensor leaf) {
    static Weights of(Rpc worker) {
      return worker.shared(
          Weights.class, () -> new Weights(Tensor.parameterOf(Tensor.ones(3_000_000))));
    }
  }

  /// The calls that wait in [#await].
  record Waits(CountDownLatch begun, CountDownLatch ended) {
    Waits() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }
  }
}
