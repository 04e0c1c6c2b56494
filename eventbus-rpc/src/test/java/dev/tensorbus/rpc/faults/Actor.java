// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// One worker's part of a schedule: random calls, one after the other. Only the choice among
/// the references that it has at the time depends on more than the seed.
final class Actor implements Runnable {
  private static final int STEPS = 8;

  private final Rpc rpc;
  private final List<String> others;
  private final Shelf shelf;
  private final Trace trace;
  private final SplittableRandom random;

  Actor(Rpc rpc, List<String> others, Trace trace, SplittableRandom random) {
    this.rpc = rpc;
    this.others = others;
    this.shelf = Shelf.of(rpc);
    this.trace = trace;
    this.random = random;
  }

  /// A call, by number, that may use a worker and one of this worker's references.
  private interface Move {
    void make(int number, String other, RRef<Tensor> mine);
  }

  @Override
  public void run() {
    create(trace.newNumber(), other());
    for (int i = 0; i < STEPS; i++) {
      List<Runnable> moves =
          List.of(
              () -> run(trace.newNumber(), other()),
              () -> insist(trace.newNumber(), other()),
              () -> own(trace.newNumber()),
              () -> create(trace.newNumber(), other()),
              () -> take(trace.newNumber(), other()),
              () -> use("put on", this::put),
              () -> use("hand over to", this::handOver),
              () -> use("relay over", this::relay),
              () -> use("have a look from", this::look),
              () -> use("fetch beside", this::fetch),
              () -> use("add beside", this::add),
              this::drop);
      moves.get(random.nextInt(moves.size())).run();
    }
  }

  private String other() {
    return others.get(random.nextInt(others.size()));
  }

  private void run(int number, String other) {
    trace.step(rpc, number, "run on " + other, () -> rpc.rpcSync(other, Shelf::run, number));
  }

  private void insist(int number, String other) {
    Calls insistent = rpc.with(CallOptions.DEFAULT.withRetry(Duration.ofMillis(5)));
    trace.step(
        rpc, number, "insist on " + other, () -> insistent.rpcSync(other, Shelf::run, number));
  }

  private void own(int number) {
    RRef<Tensor> reference = rpc.rref(Tensor.of(number));
    trace.created(reference, number);
    shelf.add(reference);
  }

  private void create(int number, String other) {
    RRef<Tensor> reference = rpc.remote(other, Shelf::make, number);
    trace.created(reference, number);
    shelf.add(reference);
  }

  private void take(int number, String other) {
    int index = random.nextInt(100);
    trace.step(
        rpc,
        number,
        "take from " + other,
        () -> {
          RRef<Tensor> taken = rpc.rpcSync(other, Shelf::take, number, index);
          if (taken != null) {
            shelf.add(taken);
          }
        });
  }

  private void use(String what, Move move) {
    int number = trace.newNumber();
    String other = other();
    RRef<Tensor> mine = shelf.get(random.nextInt(100));
    if (mine != null) {
      trace.step(
          rpc, number, what + " " + other + " " + mine, () -> move.make(number, other, mine));
    }
  }

  private void put(int number, String other, RRef<Tensor> mine) {
    rpc.rpcSync(other, Shelf::put, number, mine);
  }

  /// Gives the reference up as soon as the call is sent.
  private void handOver(int number, String other, RRef<Tensor> mine) {
    Future<Void> put = rpc.rpcAsync(other, Shelf::put, number, mine);
    shelf.remove(mine);
    put.await();
  }

  private void relay(int number, String other, RRef<Tensor> mine) {
    rpc.rpcSync(other, Shelf::relay, number, other(), trace.newNumber(), mine);
  }

  private void look(int number, String other, RRef<Tensor> mine) {
    trace.require(mine, rpc.rpcSync(other, Shelf::look, number, mine));
  }

  private void fetch(int number, String other, RRef<Tensor> mine) {
    trace.require(mine, mine.toHere());
  }

  private void add(int number, String other, RRef<Tensor> mine) {
    Tensor zero = Tensor.of(0);
    trace.require(mine, mine.rpcSync(Tensor::add, zero));
  }

  private void drop() {
    RRef<Tensor> mine = shelf.get(random.nextInt(100));
    if (mine != null) {
      shelf.remove(mine);
    }
  }
}
