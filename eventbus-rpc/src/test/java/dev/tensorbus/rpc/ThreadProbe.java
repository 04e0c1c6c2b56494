// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Methods that say on which thread they run.
public final class ThreadProbe {
  /// Keeps one worker's constructor waiting until the test lets it go on.
  private static final class Gate {
    private final CountDownLatch open = new CountDownLatch(1);
    private final Semaphore answers = new Semaphore(0);

    static Gate here() {
      return Rpc.current().shared(Gate.class, Gate::new);
    }
  }

  @Remote
  ThreadProbe() {}

  private ThreadProbe(Gate gate) throws InterruptedException {
    gate.open.await();
  }

  @Remote
  static ThreadProbe late() throws InterruptedException {
    return new ThreadProbe(Gate.here());
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static void openGate() {
    Gate.here().open.countDown();
  }

  /// Answers when [#release] is called, once for each call of that.
  @Remote
  static void held() throws InterruptedException {
    Gate.here().answers.acquire();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static void release() {
    Gate.here().answers.release();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String thread() {
    return kind();
  }

  @Remote
  static String usualThread() {
    return kind();
  }

  @Remote(execution = Execution.PLATFORM_THREAD)
  static String platformThread(String worker) {
    return kind() + ", then " + Rpc.current().rpcSync(worker, ThreadProbe::usualThread);
  }

  /// Waits until its call is given up.
  @Remote(execution = Execution.PLATFORM_THREAD)
  static void blockOnPlatformThread() {
    Probe.blockUntilCancelled();
  }

  @Remote(execution = Execution.ADAPTIVE)
  static String computed(int millis) {
    return computedHere(millis);
  }

  /// Stands for arithmetic that takes so long.
  static String computedHere(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return kind();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  String ownThread() {
    return kind();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String threadForReference(RRef<ThreadProbe> reference) {
    reference.close();
    return kind();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String threadFor(String text) {
    return kind();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String threadForTensor(Tensor tensor) {
    return kind();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String callAndWait(String worker) {
    return Rpc.current().rpcSync(worker, ThreadProbe::usualThread);
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static Future<String> callOn(String worker) {
    Promise<String> answer = Promise.promise();
    String here = kind();
    Rpc.current()
        .rpcAsync(worker, ThreadProbe::usualThread)
        .map(there -> here + ", then " + there)
        .onComplete(answer);
    return answer.future();
  }

  @Remote(execution = Execution.EVENT_LOOP)
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
