// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// G1 to G3: references and how long they live; the subclasses say how the workers are connected.
abstract class ReferenceContract {
  private static final Duration SHORT_LIMIT = Duration.ofMillis(50);

  private World world;
  private Rpc first;
  private Rpc second;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(3);
    first = world.worker(0);
    second = world.worker(1);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aReferenceThatComesHomeStaysWithWhoSentIt() {
    for (int round = 0; round < 20; round++) {
      RRef<Probe> mine = first.rref(new Probe(round));
      assertThat(first.rpcSync("worker1", Errands::keep, mine)).isSameAs(mine);
      assertThat(first.rpcSync("worker1", Errands::askKept, 1)).isEqualTo(round + 1);
    }
  }

  @Test
  void manyReferencesAreMadeBeforeOneIsFetched() {
    List<RRef<Integer>> references = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      references.add(first.remote("worker1", Probe::sum, i, i));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(references.get(i).toHere()).isEqualTo(2 * i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void anOperationsResultStaysWhereItIsMade(String to) {
    RRef<Tensor> sum = first.remote(to, Tensor::add, Tensor.of(1), Tensor.of(2));
    assertThat(sum.toHere().item()).isEqualTo(3);
    assertThat(sum.isOwner()).isEqualTo(to.equals("worker0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void aReferenceOfMineIsFetchedByWhatIMakeElsewhere(String to) {
    RRef<Integer> mine = first.rref(40);
    assertThat(first.remote(to, Errands::ninety, mine).toHere()).isEqualTo(90);
    assertThat(first.rpcSync(to, Errands::ninety, mine)).isEqualTo(90);
    assertThat(first.rpcAsync(to, Errands::ninety, mine).await()).isEqualTo(90);
  }

  @ParameterizedTest
  @EnumSource
  void twoReferencesAreFetchedByTheirOwner(CallMode mode) {
    RRef<Integer> a = first.remote("worker1", Errands::number, 1);
    RRef<Integer> b = first.remote("worker1", Errands::number, 2);
    assertThat(mode.call(first, "worker1", Errands::sumOf, a, b)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void twoReferencesAreFetchedByAThirdWorker(CallMode mode) {
    RRef<Integer> a = first.remote("worker1", Errands::number, 1);
    RRef<Integer> b = first.remote("worker1", Errands::number, 2);
    assertThat(mode.call(first, "worker2", Errands::sumOf, a, b)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void anObjectsMethodsRunAtItsOwnerInEachMode(String owner) {
    RRef<Tally> tally = first.remote(owner, Tally::new, 10);
    tally.rpcSync(Tally::add, 1);
    assertThat(tally.rpcAsync(Tally::add, 1).await()).isNull();
    assertThat(tally.remote(Tally::add, 1).toHere()).isNull();
    assertThat(tally.rpcSync(Tally::count)).isEqualTo(13);
    assertThat(tally.rpcAsync(Tally::count).await()).isEqualTo(13);
    assertThat(tally.remote(Tally::count).toHere()).isEqualTo(13);
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void operationsOfATensorRunAtItsOwnerInEachMode(String owner) {
    RRef<Tensor> ones = first.remote(owner, Tensor::add, Tensor.zeros(2, 2), Tensor.ones(2, 2));
    Tensor one = Tensor.scalar(1);
    assertThat(ones.rpcSync(Tensor::neg).values()).containsOnly(-1);
    assertThat(ones.rpcAsync(Tensor::add, one).await().values()).containsOnly(2);
    assertThat(ones.remote(Tensor::flatten, 0).toHere().shape()).isEqualTo(Shape.of(4));
  }

  @Test
  void fetchingWhatARemoteCallMadeGivesWhatASyncCallGives() {
    RRef<Tensor> x = first.remote("worker1", Tensor::relu, Tensor.of(-1, 2));
    Tensor direct = x.rpcSync(Tensor::scale, 3.0);
    assertThat(x.remote(Tensor::scale, 3.0).toHere().values()).isEqualTo(direct.values());
    assertThat(first.rpcSync("worker2", Probe::fetch, x.remote(Tensor::scale, 3.0)).values())
        .isEqualTo(direct.values());
    RRef<Tensor> mine = first.rref(Tensor.of(-1, 2));
    assertThat(mine.remote(Tensor::relu).toHere().values())
        .isEqualTo(mine.rpcSync(Tensor::relu).values());
  }

  @Test
  void aReferenceOfMineThatNobodyElseHasNeedsNoCall() {
    RRef<Integer> mine = first.rref(35);
    assertThat(mine.localValue()).isEqualTo(35);
    assertThat(mine.isOwner()).isTrue();
    assertThat(mine.created().succeeded()).isTrue();
    assertThat(first.debugInfo()).containsEntry("rref.owned", 0L);
  }

  @Test
  void theTextOfAReferenceNamesItAndItsOwner() {
    assertThat(first.rref(1)).hasToString("RRef 0/1 owned here by worker0");
    RRef<Integer> user = first.remote("worker1", Errands::number, 1);
    assertThat(user).hasToString("RRef 0/2 (fork 0/3) owned by worker1");
    assertThatThrownBy(user::localValue)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "localValue: RRef 0/2 (fork 0/3) owned by worker1, not by worker0; call it on the"
                + " owner, or use toHere() for a copy");
  }

  @Test
  void theFutureOfItsCreationIsDoneWhenTheObjectExists() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 1);
    probe.created().await();
    assertThat(second.debugInfo()).containsEntry("rref.owned", 1L);
    RRef<Integer> failed = first.remote("worker1", Probe::fail, "no");
    assertThatThrownBy(() -> failed.created().await())
        .hasMessage("worker1 failed in Probe.fail: no");
  }

  @ParameterizedTest
  @EnumSource
  void theOwnerKnowsAForkBeforeAMethodThatGetsIt(CallMode mode) {
    RRef<Integer> two = first.remote("worker2", Errands::number, 2);
    assertThat(mode.call(first, "worker1", Errands::forksAtOwner, two)).isEqualTo(2);
  }

  @Test
  void javaSerializationRefusesAReference() {
    assertThatThrownBy(
            () ->
                new ObjectOutputStream(OutputStream.nullOutputStream()).writeObject(first.rref(1)))
        .isInstanceOf(NotSerializableException.class);
  }

  @Test
  void debugInfoFollowsTheLifeOfAReference() {
    RRef<Probe> mine = first.rref(new Probe(1));
    assertThat(first.debugInfo()).containsEntry("rref.owned", 0L);
    first.rpcSync("worker1", Errands::keep, mine);
    World.eventually(() -> first.debugInfo().get("rref.unconfirmed") == 0);
    assertThat(first.debugInfo()).containsEntry("rref.owned", 1L).containsEntry("rref.forks", 1L);
    first.rpcSync("worker1", Errands::dropKept);
    World.eventually(() -> first.debugInfo().get("rref.owned") == 0);
    RRef<Integer> one = second.remote("worker0", Errands::number, 1);
    RRef<Integer> two = second.remote("worker0", Errands::number, 2);
    assertThat(one.toHere() + two.toHere()).isEqualTo(3);
    assertThat(first.debugInfo()).containsEntry("rref.owned", 2L).containsEntry("rref.forks", 2L);
    assertThat(second.debugInfo()).containsEntry("rref.held", 2L);
    World.eventually(() -> second.debugInfo().get("rref.unconfirmed") == 0);
  }

  @Test
  void aMethodThatTheObjectDoesNotHaveIsNamed() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 1);
    Call<Object> gone =
        new Call<>(
            new FunctionName("dev.tensorbus.rpc.Probe", "gone"), List.of(), CallOptions.DEFAULT);
    String message = "Probe.gone does not exist here; start all workers from the same build";
    assertThatThrownBy(() -> probe.call(gone)).hasMessageContaining(message);
    assertThatThrownBy(() -> probe.send(gone).await()).hasMessageContaining(message);
    assertThatThrownBy(() -> probe.create(gone).created().await()).hasMessageContaining(message);
  }

  @Test
  void callsThroughAReferenceHaveTheirOwnTime() {
    RRef<Tally> tally = first.remote("worker1", Tally::new, 1);
    ObjectCalls<Tally> hurried = tally.with(CallOptions.timeout(SHORT_LIMIT));
    String late = "worker1 did not answer Tally.block within 0.05 s";
    assertThatThrownBy(() -> hurried.rpcSync(Tally::block)).hasMessage(late);
    assertThatThrownBy(() -> hurried.rpcAsync(Tally::block).await()).hasMessage(late);
    assertThatThrownBy(() -> hurried.remote(Tally::block).created().await()).hasMessage(late);
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void theTimeOfACallCountsWhileTheObjectIsMade(String owner) {
    Calls calls = first.with(CallOptions.timeout(Duration.ofSeconds(10)));
    try (RRef<Tally> never = calls.remote(owner, Tally::never)) {
      assertThatThrownBy(() -> never.with(CallOptions.timeout(SHORT_LIMIT)).rpcSync(Tally::count))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage(owner + " did not answer Tally.count within 0.05 s");
      assertThatThrownBy(() -> never.toHere(SHORT_LIMIT)).isInstanceOf(RpcTimeoutException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void aCreationThatIsLateFailsWhoeverUsesTheReference(String owner) {
    RRef<Tally> late = first.with(CallOptions.timeout(SHORT_LIMIT)).remote(owner, Tally::never);
    String message = owner + " did not answer Tally.never within 0.05 s";
    assertThatThrownBy(() -> late.created().await())
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage(message);
    assertThatThrownBy(late::toHere)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining(message);
    late.close();
    Rpc there = world.worker(first.worker(owner).id());
    World.eventually(() -> there.debugInfo().get("rref.owned") == 0);
  }

  @Test
  void aRemoteCallMayMakeAnotherAndFetchIt() {
    assertThat(first.remote("worker1", Errands::throughRemote, "worker2").toHere()).isEqualTo(6);
  }

  @Test
  void anObjectMayHoldReferencesThatTravelWithIt() {
    RRef<List<RRef<Integer>>> pair = first.remote("worker1", Errands::pair, "worker2");
    List<RRef<Integer>> references = pair.toHere();
    assertThat(references.get(0).owner().name()).isEqualTo("worker2");
    assertThat(references.get(0).toHere() + references.get(1).toHere()).isEqualTo(3);
  }

  @Test
  void shutdownEndsReferencesThatNobodyWillEverCollect() {
    List<Object> one = new ArrayList<>();
    List<Object> other = new ArrayList<>(List.of(one, first.remote("worker1", Probe::new, 1)));
    one.add(other);
    List<Future<Void>> ends =
        List.of(first.shutdown(), second.shutdown(), world.worker(2).shutdown());
    ends.forEach(end -> end.await());
    assertThat(other.getFirst()).isSameAs(one);
  }

  @Test
  void aReferenceEndsWithItsWorker() {
    RRef<Tensor> user = first.remote("worker1", Probe::zeros);
    user.toHere();
    first.leave().await();
    assertThatThrownBy(user::toHere)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker0 has left the world, so it cannot call References.fetch");
    assertThatThrownBy(() -> first.rpcSync("worker2", Probe::fetch, user))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker0 has left the world, so it cannot call Probe.fetch");
  }
}
