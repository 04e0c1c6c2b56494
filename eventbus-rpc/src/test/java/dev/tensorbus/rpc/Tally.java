// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// An object that workers call through references.
final class Tally {
  private final AtomicInteger count = new AtomicInteger();

  @Remote
  Tally(int start) {
    count.set(start);
  }

  /// One that never comes to be while its call waits.
  @Remote
  static Tally never() throws InterruptedException {
    new CountDownLatch(1).await();
    return new Tally(0);
  }

  @Remote
  void add(int more) {
    count.addAndGet(more);
  }

  @Remote
  int count() {
    return count.get();
  }

  @Remote
  Future<Integer> countLater(int more) {
    return Rpc.current().rpcAsync("worker0", Probe::sum, count.get(), more);
  }

  @Remote
  static Future<Integer> later(Tally tally, int more) {
    return Future.succeededFuture(tally.count.get() + more);
  }

  @Remote
  void block() throws InterruptedException {
    new CountDownLatch(1).await();
  }
}
