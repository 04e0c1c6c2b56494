// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The functions that workers run for each other in the contract's themes.
final class Errands {
  @Remote
  Errands() {}

  /// The objects that a worker was given to keep.
  private static final class Kept {
    private final AtomicReference<RRef<Probe>> reference = new AtomicReference<>();
  }

  private static AtomicReference<RRef<Probe>> kept() {
    return Rpc.current().shared(Kept.class, Kept::new).reference;
  }

  /// Keeps a reference, and sends it back.
  @Remote
  static RRef<Probe> keep(RRef<Probe> reference) {
    kept().set(reference);
    return reference;
  }

  /// Asks the object that is kept.
  @Remote
  static int askKept(int other) {
    return kept().get().rpcSync(Probe::plus, other);
  }

  /// Gives up what is kept.
  @Remote
  static void dropKept() {
    kept().getAndSet(null).close();
  }

  /// Overwrites its argument many times.
  @Remote
  static int scribble(float[] values) {
    for (int time = 1; time < 100; time++) {
      Arrays.fill(values, time);
    }
    return 0;
  }

  @Remote
  static boolean isMoreThanTen(double value) {
    return value > 10;
  }

  @Remote
  static String describe(String name, int count, Tensor tensor, String nothing) {
    return name + " " + count + " " + tensor.shape() + " " + nothing;
  }

  @Remote
  static int sumOf(RRef<Integer> a, RRef<Integer> b) {
    return a.toHere() + b.toHere();
  }

  @Remote
  static int ninety(RRef<Integer> forty) {
    return forty.toHere() + 50;
  }

  /// The number of a reference's forks that its owner knows while this method runs.
  @Remote
  static long forksAtOwner(RRef<Integer> reference) {
    return Rpc.current().rpcSync(reference.owner().name(), Errands::forks);
  }

  @Remote
  static long forks() {
    return Rpc.current().debugInfo().get("rref.forks");
  }

  @Remote
  static int number(int value) {
    return value;
  }

  /// A reference to what this worker owns.
  @Remote(execution = Execution.EVENT_LOOP)
  static RRef<Integer> lend() {
    return Rpc.current().rref(1);
  }

  /// Two references to what a third worker owns.
  @Remote
  static List<RRef<Integer>> pair(String owner) {
    Rpc rpc = Rpc.current();
    return List.of(rpc.remote(owner, Errands::number, 1), rpc.remote(owner, Errands::number, 2));
  }

  @Remote
  static int throughRemote(String worker) {
    return Rpc.current().remote(worker, Errands::number, 5).toHere() + 1;
  }

  @Remote
  static Future<Integer> askLater(String worker, int value) {
    return Rpc.current().rpcAsync(worker, Probe::sum, value, value);
  }

  @Remote
  static Future<Integer> askLaterAndChain(String worker, int value) {
    Future<Integer> result = Rpc.current().rpcAsync(worker, Probe::sum, value, 0);
    for (int link = 0; link < 20; link++) {
      result = result.map(one -> one + 1);
    }
    return result;
  }

  @Remote
  static Future<Integer> askTwiceLater(String worker, int value) {
    Rpc rpc = Rpc.current();
    return rpc.rpcAsync(worker, Probe::later, value)
        .compose(one -> rpc.rpcAsync(worker, Probe::later, one));
  }

  @Remote
  static Future<Integer> failEarly(String message) {
    throw new IllegalStateException(message);
  }

  @Remote
  static Future<Integer> giveNoFuture(int ignored) {
    return null;
  }

  /// A future that its type does not tell of.
  @Remote
  static Object disguise(int value) {
    return Future.succeededFuture(value);
  }

  @Remote
  static String eight(
      int a, String b, long c, float d, double e, char f, boolean g, @Nullable Object h) {
    return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h;
  }

  @Remote
  static Future<Integer> five(int a, int b, int c, int d, int e) {
    return Future.succeededFuture(a + b + c + d + e);
  }

  @Remote
  static void sixForNothing(int a, int b, int c, int d, int e, int f) {}

  @Remote
  int seven(int a, int b, int c, int d, int e, int f, int g) {
    return a + b + c + d + e + f + g;
  }
}
