// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.lane;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.autograd.DistAutograd;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A load generator that exercises every kind of interaction between workers, in random order.
final class Traffic implements Runnable {
  private static final int LARGEST = 4 << 20; // floats: 16 MiB
  private static final Duration BRIEFLY = Duration.ofMillis(20);
  private static final long REST_NANOS = 2_000_000;

  private final Rpc rpc;
  private final List<String> peers;
  private final SplittableRandom random;
  private final long end;
  private final LongAdder done;
  private final Consumer<RuntimeException> failed;

  /// @param end when to stop, on the clock of [System#nanoTime]
  /// @param done counts the completed interactions
  /// @param failed receives unexpected exceptions
  Traffic(
      Rpc rpc,
      List<String> peers,
      long seed,
      long end,
      LongAdder done,
      Consumer<RuntimeException> failed) {
    this.rpc = rpc;
    this.peers = peers;
    this.random = new SplittableRandom(seed);
    this.end = end;
    this.done = done;
    this.failed = failed;
  }

  @Override
  public void run() {
    while (System.nanoTime() - end < 0) {
      String peer = peers.get(random.nextInt(peers.size()));
      try {
        act(peer);
        done.increment();
      } catch (RuntimeException e) {
        failed.accept(e);
      }
      LockSupport.parkNanos(REST_NANOS); // limits the load
    }
  }

  private void act(String peer) {
    switch (random.nextInt(8)) {
      case 0, 1 -> rpc.rpcSync(peer, Errands::noop);
      case 2, 3 -> echo(peer);
      case 4 -> refer(peer);
      case 5 -> cancel(peer);
      case 6 -> timeOut(peer);
      default -> differentiate(peer);
    }
  }

  /// Returns a tensor whose size is distributed log-uniformly.
  private Tensor tensor() {
    int size = (int) Math.pow(LARGEST, random.nextDouble());
    float[] values = new float[size];
    values[0] = random.nextFloat();
    values[size - 1] = random.nextFloat();
    return Tensor.of(values);
  }

  private void echo(String peer) {
    Tensor sent = tensor();
    Tensor back = rpc.rpcSync(peer, Errands::echo, sent);
    int last = sent.shape().elements() - 1;
    boolean isSame =
        back.shape().equals(sent.shape())
            && back.values()[0] == sent.values()[0]
            && back.values()[last] == sent.values()[last];
    if (!isSame) {
      throw new IllegalStateException("a different tensor came back from " + peer);
    }
  }

  private void refer(String peer) {
    try (RRef<Errands> object = rpc.remote(peer, Errands::new)) {
      object.rpcSync(Errands::count);
      if (object.rpcSync(Errands::count) != 2) {
        throw new IllegalStateException("a call reached the wrong object on " + peer);
      }
    }
  }

  private void cancel(String peer) {
    Future<Tensor> kept = rpc.rpcAsync(peer, Errands::keep, tensor());
    rpc.cancel(kept);
    expect(CancellationException.class, kept::await);
  }

  private void timeOut(String peer) {
    Tensor tensor = tensor();
    expect(
        RpcTimeoutException.class,
        () -> rpc.with(CallOptions.timeout(BRIEFLY)).rpcSync(peer, Errands::keep, tensor));
  }

  private static void expect(Class<? extends RuntimeException> end, Runnable call) {
    try {
      call.run();
    } catch (CancellationException | RpcException e) {
      if (!end.isInstance(e)) {
        throw e;
      }
    }
  }

  private void differentiate(String peer) {
    try (var context = DistAutograd.context(rpc)) {
      Tensor drawn = Tensor.randn(random, 64, 64);
      Tensor weight = Tensor.parameter(drawn.shape(), drawn.values());
      context.backward(rpc.rpcSync(peer, Tensor::matmul, drawn, weight).sum());
    }
  }
}
