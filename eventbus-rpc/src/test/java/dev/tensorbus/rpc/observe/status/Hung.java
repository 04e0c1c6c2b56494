// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Methods that end when a test lets them.
final class Hung {
  private static volatile Gate gate = new Gate();

  private Hung() {}

  private static final class Gate {
    private final CountDownLatch latch = new CountDownLatch(1);
    private final Promise<Integer> promise = Promise.promise();
  }

  static void close() {
    gate = new Gate();
  }

  static void open() {
    gate.latch.countDown();
    gate.promise.tryComplete(1);
  }

  @Remote
  static int update() throws InterruptedException {
    return gate.latch.await(World.PATIENCE.toSeconds(), TimeUnit.SECONDS) ? 1 : 0;
  }

  @Remote(execution = Execution.PLATFORM_THREAD)
  static int compute() throws InterruptedException {
    return update();
  }

  @Remote
  static Future<Integer> later() {
    return gate.promise.future();
  }

  /// Calls `update` on another worker.
  @Remote
  static int relay(String to) {
    return Rpc.current().rpcSync(to, Hung::update);
  }

  /// The same, without a thread that waits.
  @Remote
  static Future<Integer> forward(String to) {
    return Rpc.current().rpcAsync(to, Hung::update);
  }

  /// Calls this method of `to`, which calls this of `next`, which needs room that is never there.
  @Remote
  static int circle(String to, String next) {
    return to.isEmpty() ? 1 : Rpc.current().rpcSync(to, Hung::circle, next, "");
  }
}
