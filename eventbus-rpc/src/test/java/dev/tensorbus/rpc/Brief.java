// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What the tests of brief methods call. Says on which thread it runs.
public final class Brief {
  /// Keeps one worker's constructor waiting until the test lets it go on.
  private static final class Gate {
    private final CountDownLatch open = new CountDownLatch(1);

    static Gate here() {
      return Rpc.current().shared(Gate.class, Gate::new);
    }
  }

  @Remote
  Brief() {}

  private Brief(Gate gate) throws InterruptedException {
    gate.open.await();
  }

  @Remote
  static Brief late() throws InterruptedException {
    return new Brief(Gate.here());
  }

  @Remote(brief = true)
  static void openGate() {
    Gate.here().open.countDown();
  }

  @Remote(brief = true)
  static String thread() {
    return kind();
  }

  @Remote
  static String usualThread() {
    return kind();
  }

  @Remote(onlyComputes = true)
  static String computed(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis); // stands for arithmetic
    return kind();
  }

  @Remote(brief = true)
  String ownThread() {
    return kind();
  }

  @Remote(brief = true)
  static String threadForReference(RRef<Brief> reference) {
    reference.close();
    return kind();
  }

  @Remote(brief = true)
  static String threadFor(String text) {
    return kind();
  }

  @Remote(brief = true)
  static String threadForTensor(Tensor tensor) {
    return kind();
  }

  @Remote(brief = true)
  static String callAndWait(String worker) {
    return Rpc.current().rpcSync(worker, Brief::usualThread);
  }

  @Remote(brief = true)
  static Future<String> callOn(String worker) {
    Promise<String> answer = Promise.promise();
    String here = kind();
    Rpc.current()
        .rpcAsync(worker, Brief::usualThread)
        .map(there -> here + ", then " + there)
        .onComplete(answer);
    return answer.future();
  }

  @Remote(brief = true)
  static void fail() {
    throw new IllegalArgumentException("no");
  }

  static String kind() {
    Thread thread = Thread.currentThread();
    return thread.isVirtual()
        ? "virtual"
        : thread.getName().contains("eventloop") ? "event loop" : thread.getName();
  }
}
