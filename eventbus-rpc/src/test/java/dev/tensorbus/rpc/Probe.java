// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// The functions that the workers of the tests run for each other.
public final class Probe {
  private final int value;

  @Remote
  Probe(int value) {
    this.value = value;
  }

  /// Holds what a worker keeps between calls.
  private static final class Kept {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger chainsEnded = new AtomicInteger();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    private final CompletableFuture<String> nestedError = new CompletableFuture<>();
    private final Queue<Object> held = new ConcurrentLinkedQueue<>();
    private volatile RRef<Probe> reference;

    static Kept here() {
      return Rpc.current().shared(Kept.class, Kept::new);
    }
  }

  @Remote
  int plus(int other) {
    return value + other;
  }

  @Remote
  void swallow(Object anything) {}

  @Remote
  static String where() {
    return Rpc.current().self() + " for " + Rpc.caller();
  }

  @Remote
  static int sum(int a, int b) {
    return a + b;
  }

  @Remote
  static Future<Integer> later(int a) {
    Promise<Integer> promise = Promise.promise();
    Thread.ofVirtual().start(() -> promise.complete(a + 1));
    return promise.future();
  }

  @Remote
  static void nothing() {}

  @Remote
  static Map<String, List<Tensor>> echo(Map<String, List<Tensor>> map) {
    return map;
  }

  @Remote
  static String askBack(String worker) {
    return Rpc.current().rpcSync(worker, Probe::where);
  }

  @Remote
  static void block() throws InterruptedException {
    Kept.here().blocked.countDown();
    Kept.here().unblocked.await();
  }

  @Remote
  static void awaitBlocked() throws InterruptedException {
    Kept.here().blocked.await();
  }

  @Remote
  static void unblock() {
    Kept.here().unblocked.countDown();
  }

  /// The same, from where no call is needed for it.
  static void unblockAt(Rpc worker) {
    worker.shared(Kept.class, Kept::new).unblocked.countDown();
  }

  /// Blocks until [#unblock], even if it is interrupted.
  @Remote
  static void insist() {
    for (boolean isOver = false; !isOver; ) {
      try {
        Kept.here().unblocked.await();
        isOver = true;
      } catch (InterruptedException e) {
        // it goes on
      }
    }
  }

  /// Blocks until it is interrupted, and tells that it was.
  @Remote
  static void blockUntilCancelled() {
    Kept kept = Kept.here();
    kept.blocked.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      kept.cancelled.complete(Rpc.isCancelled());
    }
  }

  /// Whether a call of [#blockUntilCancelled] was given up.
  @Remote
  static boolean awaitCancelled() {
    return Kept.here().cancelled.orTimeout(20, TimeUnit.SECONDS).join();
  }

  /// Gives nothing until it is given up.
  @Remote
  static Future<Void> never() {
    Kept.here().blocked.countDown();
    return Promise.<Void>promise().future();
  }

  @Remote
  static void blockThrough(String worker) {
    Rpc.current().rpcSync(worker, Probe::blockUntilCancelled);
  }

  /// The milliseconds that its caller still waits.
  @Remote
  static long millisLeft() {
    return Duration.between(Instant.now(), Rpc.deadline()).toMillis();
  }

  @Remote
  static void closeAll(List<RRef<Probe>> references) {
    references.forEach(RRef::close);
  }

  @Remote
  static void closeAllThere(List<RRef<Probe>> references, String worker) {
    Rpc.current().rpcSync(worker, Probe::closeAll, references);
    references.forEach(RRef::close);
  }

  @Remote
  static float[] floats(int count) {
    return new float[count];
  }

  @Remote
  static int fail(String message) {
    throw new IllegalArgumentException(message);
  }

  static int secret() {
    return 42;
  }

  @Remote
  static void take(Object anything) {}

  @Remote
  static String waitFor(String worker) {
    try {
      Rpc.current().rpcSync(worker, Probe::block);
      return "answered";
    } catch (RuntimeException e) {
      Kept.here().nestedError.complete(e.getClass().getSimpleName());
      throw e;
    }
  }

  /// The error of [#waitFor], on the worker where it ran.
  @Remote
  static String nestedError() {
    return Kept.here().nestedError.join();
  }

  @Remote
  static Tensor zeros() {
    return Tensor.zeros(2, 2);
  }

  @Remote
  static int plusThrough(RRef<Probe> probe, int other) {
    return probe.rpcSync(Probe::plus, other);
  }

  @Remote
  static Tensor fetch(RRef<Tensor> reference) {
    return reference.toHere();
  }

  @Remote
  static boolean isOwned(RRef<Probe> probe) {
    return probe.isOwner();
  }

  @Remote
  static RRef<Probe> keep(RRef<Probe> probe) {
    Kept.here().reference = probe;
    return probe;
  }

  /// Uses the reference of [#keep].
  @Remote
  static int plusKept(int other) {
    return Kept.here().reference.rpcSync(Probe::plus, other);
  }

  /// Keeps anything for as long as the worker lives.
  @Remote
  static void hold(Object anything) {
    Kept.here().held.add(anything);
  }

  @Remote
  static void drop() {
    Kept.here().reference.close();
  }

  @Remote
  static int count() {
    return Kept.here().count.incrementAndGet();
  }

  /// Calls every worker and counts those that answer with their name.
  @Remote
  static int callEveryone() {
    Rpc rpc = Rpc.current();
    List<WorkerInfo> workers = rpc.workers();
    List<Future<String>> names =
        workers.stream().map(worker -> rpc.rpcAsync(worker.name(), Probe::where)).toList();
    Future.all(names).await();
    return (int)
        IntStream.range(0, workers.size())
            .filter(i -> names.get(i).result().equals(workers.get(i) + " for " + rpc.self()))
            .count();
  }

  /// The sum of the ranks that every worker brings.
  @Remote
  static int gatherRanks() {
    Rpc rpc = Rpc.current();
    return rpc.allGather(rpc.self().id()).values().stream().mapToInt(rank -> rank).sum();
  }

  static int chainsEndedAt(Rpc worker) {
    return worker.shared(Kept.class, Kept::new).chainsEnded.get();
  }

  @Remote
  static void chain(int length) {
    if (length == 0) {
      Kept.here().chainsEnded.incrementAndGet();
      return;
    }
    Rpc rpc = Rpc.current();
    int next = (rpc.self().id() + 1) % rpc.workers().size();
    rpc.rpcAsync("worker" + next, Probe::chain, length - 1);
  }
}
