// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.autograd.DistAutograd;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// G17: what a call carries is what was given, whatever becomes of it afterwards on either side,
/// to oneself too; the subclasses say how the workers are connected.
abstract class ValueContract {
  private World world;
  private Rpc first;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(2);
    first = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private static Tensor ones(int size) {
    return Tensor.full(Shape.of(size), DType.FLOAT32, 1);
  }

  private static void clear(Tensor leaf) {
    leaf.update(values -> new float[values.length]);
  }

  private static float sum(Tensor tensor) {
    return tensor.sum().item();
  }

  @ParameterizedTest
  @CsvSource({"worker0, 0", "worker0, 1", "worker0, 100000", "worker1, 1", "worker1, 100000"})
  void whatTheCallerChangesAfterTheCallTheMethodDoesNotSee(String to, int size) {
    RRef<Ledger> ledger = first.remote(to, Ledger::new, Tensor.of(1));
    Tensor argument = ones(size);
    Future<Float> sum = ledger.rpcAsync(Ledger::sumWhenOpen, argument);
    clear(argument);
    ledger.rpcSync(Ledger::open);
    assertThat(sum.await()).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({"worker0, 0", "worker0, 1", "worker0, 100000", "worker1, 1", "worker1, 100000"})
  void whatTheMethodChangesTheCallerDoesNotSee(String to, int size) {
    Tensor argument = ones(size);
    assertThat(first.rpcSync(to, Ledger::sumOfCleared, argument)).isZero();
    assertThat(sum(argument)).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({"worker0, 1", "worker0, 100000", "worker1, 1", "worker1, 100000"})
  void whatBecomesOfAResultTheOtherSideDoesNotSee(String to, int size) {
    RRef<Ledger> ledger = first.remote(to, Ledger::new, ones(size));
    Tensor read = ledger.rpcSync(Ledger::page);
    assertThat(sum(ledger.rpcSync(Ledger::write, ones(size).scale(2)))).isEqualTo(size);
    assertThat(sum(read)).isEqualTo(size);
    clear(read);
    assertThat(sum(ledger.rpcSync(Ledger::page))).isEqualTo(2 * size);
  }

  @ParameterizedTest
  @CsvSource({"worker0, 1", "worker0, 100000", "worker1, 1", "worker1, 100000"})
  void gradientsAreThoseOfTheValuesThatWereGiven(String to, int size) {
    Tensor x = Tensor.parameterOf(ones(size));
    try (var context = DistAutograd.context(first)) {
      Tensor square = first.rpcSync(to, Tensor::mul, x, x);
      assertThat(square.requiresGrad()).isTrue();
      clear(x);
      context.backward(square.sum());
      assertThat(context.gradients().get(x).values()).hasSize(size).containsOnly(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"worker0", "worker1"})
  void aCallWithALargeTensorThatRunsOutOfTimeLeavesNothing(String to) {
    RRef<Ledger> ledger = first.remote(to, Ledger::new, Tensor.of(1));
    ledger.rpcSync(Ledger::page);
    Duration moment = Duration.ofMillis(50);
    assertThatThrownBy(
            () ->
                ledger
                    .with(CallOptions.timeout(moment))
                    .rpcSync(Ledger::sumWhenOpen, ones(100_000)))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage(to + " did not answer Ledger.sumWhenOpen within 0.05 s");
    World.eventually(
        () -> {
          Map<String, Long> info = world.worker(to.equals("worker0") ? 0 : 1).debugInfo();
          return info.get("rpc.served_calls") == 0
              && first.debugInfo().get("rpc.pending_calls") == 0;
        });
  }
}
