// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.TrafficTotals;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// G1 to G3, G11: references whose messages are lost or late.
@Isolated("it keeps all carriers of virtual threads busy")
class FaultyReferencesTest {
  private static final Duration SHORT_LIMIT = Duration.ofMillis(50);
  private static final List<String> CONTROL =
      List.of("References.addForks", "References.settle", "References.missing");

  private final MemoryWorld world = new MemoryWorld(3);
  private final Rpc rpc = world.worker(0);
  private final Calls hurried = rpc.with(CallOptions.timeout(SHORT_LIMIT));

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private void requireNothingHeld() {
    for (int rank = 0; rank < 3; rank++) {
      Map<String, Long> info = world.worker(rank).debugInfo();
      assertThat(info.get("rref.owned")).as("owned by worker%d: %s", rank, info).isZero();
      assertThat(info.get("rref.held")).as("held by worker%d: %s", rank, info).isZero();
    }
  }

  private boolean isNothingHeld() {
    return List.of(0, 1, 2).stream()
        .map(rank -> world.worker(rank).debugInfo())
        .allMatch(info -> info.get("rref.owned") + info.get("rref.held") == 0);
  }

  private void shutDown() {
    Future.all(rpc.shutdown(), world.worker(1).shutdown(), world.worker(2).shutdown()).await();
  }

  /// The first three of each kind of control message get lost.
  @Test
  void controlMessagesAreRepeatedUntilTheyArrive() {
    Map<TrafficTotals, AtomicInteger> lost = new ConcurrentHashMap<>();
    world
        .network()
        .suffer(
            Fault.drop(1)
                .where(
                    one ->
                        CONTROL.contains(one.function())
                            && lost.computeIfAbsent(one, key -> new AtomicInteger())
                                    .incrementAndGet()
                                <= 3));
    RRef<Integer> number = rpc.remote("worker1", Errands::number, 40);
    RRef<Integer> sum = rpc.remote("worker2", Errands::ninety, number);
    assertThat(sum.toHere()).isEqualTo(90);
    number.close();
    sum.close();
    // The third worker's own reference to the number is garbage, which nobody can wait for.
    World.eventuallyCollected(this::isNothingHeld);
    requireNothingHeld();
    assertThat(world.network().history())
        .anyMatch(line -> line.contains("References.addForks"))
        .anyMatch(line -> line.contains("References.settle"));
  }

  @Test
  void aReferenceWhoseCreationWasLostIsNotPassedOnNorFetched() {
    world.network().suffer(Fault.drop(1).calling("Errands.number"));
    RRef<Integer> lost = hurried.remote("worker1", Errands::number, 40);
    assertThatThrownBy(() -> lost.created().await())
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker1 did not answer Errands.number within 0.05 s");
    String cause = "since its creation failed: worker1 did not answer Errands.number";
    assertThatThrownBy(() -> rpc.rpcSync("worker2", Errands::ninety, lost))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("pass on: the object of this reference may not exist, " + cause);
    assertThatThrownBy(lost::toHere)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining("worker1 did not answer Errands.number within 0.05 s");
    lost.close();
    shutDown();
  }

  @Test
  void anOperationsCreationThatWasLostIsNotFetched() {
    world.network().suffer(Fault.drop(1).calling("Tensor.relu"));
    RRef<Tensor> lost = hurried.remote("worker1", Tensor::relu, Tensor.of(1));
    assertThatThrownBy(lost::toHere)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining("worker1 did not answer Tensor.relu within 0.05 s");
    shutDown();
  }

  @Test
  void aCreationThatComesTooLateLeavesNothing() {
    world.network().suffer(Fault.delay(1, Duration.ofMillis(200)).calling("Errands.number"));
    try (RRef<Integer> late =
        rpc.with(CallOptions.timeout(Duration.ofMillis(1)))
            .remote("worker1", Errands::number, 40)) {
      assertThatThrownBy(() -> late.created().await()).isInstanceOf(RpcTimeoutException.class);
      assertThatThrownBy(late::toHere).isInstanceOf(RpcTimeoutException.class);
    }
    World.eventually(this::isNothingHeld);
    shutDown();
    requireNothingHeld();
  }

  /// The answer comes in time, but the thread that is to take it has no turn until its reference
  /// was taken back (G11).
  @Test
  void anAnswerThatIsTakenTooLateIsNoAnswerInTime() throws InterruptedException {
    rpc.rpcSync("worker1", Errands::lend).close(); // on the event loop from the second call on
    letAnAnswerBeTakenBack();
    Calls patient = rpc.with(CallOptions.timeout(Duration.ofSeconds(2)));
    Future<RRef<Integer>> lent;
    try (var _ = new Spinners()) {
      world.network().suffer(Fault.duplicate(1).from("worker0").ofKind("response"));
      lent = patient.rpcAsync("worker1", Errands::lend);
      World.eventually(this::hasSaidWhatIsMissing);
    }
    assertThatThrownBy(lent::await)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker1 did not answer Errands.lend within 2 s");
    World.eventually(this::isNothingHeld);
  }

  private void letAnAnswerBeTakenBack() {
    world.network().suffer(Fault.drop(1).from("worker1").ofKind("response"));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Errands::lend))
        .isInstanceOf(RpcTimeoutException.class);
    world.network().heal();
    World.eventually(() -> world.worker(1).debugInfo().get("rref.unconfirmed") == 0);
  }

  /// Whether worker0 has answered a question since its answers are repeated.
  private boolean hasSaidWhatIsMissing() {
    return world.network().history().stream()
        .anyMatch(line -> line.startsWith("DUPLICATE worker0 -> worker1 response"));
  }

  /// Keeps all carriers of virtual threads busy.
  private static final class Spinners implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();

    Spinners() throws InterruptedException {
      int carriers = Runtime.getRuntime().availableProcessors();
      CountDownLatch spinning = new CountDownLatch(carriers);
      for (int i = 0; i < carriers; i++) {
        Thread.startVirtualThread(() -> spin(spinning));
      }
      spinning.await();
    }

    private void spin(CountDownLatch spinning) {
      spinning.countDown();
      while (!over.get()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      over.set(true);
    }
  }

  @Test
  void operationsThatAreLateFailInTheirTime() {
    world.network().suffer(Fault.drop(1).ofKind("response"));
    Tensor x = Tensor.of(1);
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Tensor::add, x, x))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker1 did not answer Tensor.add within 0.05 s");
    assertThatThrownBy(() -> hurried.rpcAsync("worker1", Tensor::add, x, x).await())
        .isInstanceOf(RpcTimeoutException.class);
    world.network().heal();
    world.network().suffer(Fault.delay(1, Duration.ofMillis(100)));
    assertThat(rpc.rpcSync("worker1", Tensor::add, x, x).item()).isEqualTo(2);
    Calls patient = rpc.with(CallOptions.DEFAULT.withoutTimeout());
    assertThat(patient.rpcSync("worker1", Tensor::add, x, x).item()).isEqualTo(2);
  }
}
