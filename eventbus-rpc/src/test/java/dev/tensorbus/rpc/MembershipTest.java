// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.FaultyNetwork;
import dev.tensorbus.rpc.testing.ManualClock;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.transport.bus.BusTransport;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.value.Schemas;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import dev.tensorbus.rpc.worker.WorkerAssembly;
import dev.tensorbus.rpc.world.membership.ClusterNode;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// G9: who may take part under what name, and what happens to the others.
class MembershipTest {
  private static final Duration BRIEFLY = Duration.ofSeconds(1);

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Integer, ManualClock> clocks = new HashMap<>();
  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = Stream.generate(cluster::start).limit(2).toList();

  @AfterEach
  void stopHosts() {
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }

  private Future<Rpc> open(String name, RpcOptions options) {
    return Rpc.open(hosts.get(options.rank() % 2), name, options);
  }

  private static RpcOptions rank(int rank, int size) {
    return RpcOptions.worldSize(size)
        .withRank(rank)
        .withRendezvousTimeout(World.PATIENCE)
        .withHeartbeatTimeout(World.SILENCE);
  }

  /// Opens a worker of a world that is never complete. Its time stands still.
  private Future<Rpc> openInVain(String name, RpcOptions options) {
    ManualClock clock = new ManualClock();
    clocks.put(options.rank(), clock);
    return WorkerAssembly.open(
        hosts.get(options.rank() % 2),
        name,
        options.withRendezvousTimeout(BRIEFLY),
        new Platform(clock, Threads.system(), random),
        BusTransport::new);
  }

  /// Waits for what fails when the time of a worker is over, which is now. The worker may have read
  /// the clock just before that and sleep once more, so the time goes on until then.
  private <T> T awaitInVain(Rpc worker, Future<T> future) throws InterruptedException {
    ManualClock clock = Objects.requireNonNull(clocks.get(worker.self().id()));
    clock.awaitSleeper();
    clock.advance(BRIEFLY);
    World.eventually(
        () -> {
          clock.advance(Duration.ofMillis(1));
          return future.isComplete();
        });
    return future.await();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc*", " ", "", "a/b/c", "worker/0"})
  void aNameHasLettersDigitsAndFewSigns(String name) {
    assertThatThrownBy(() -> new WorkerInfo(name, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "worker name \""
                + name
                + "\" must be 1 to 127 letters, digits, '-', '_' or ':'; choose another");
    assertThatThrownBy(() -> open(name, rank(0, 1)).await())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameIsShorterThan128() {
    assertThat(new WorkerInfo("a-b_c:D9".repeat(15), 0).name()).hasSize(120);
    assertThatThrownBy(() -> new WorkerInfo("a".repeat(128), 0))
        .hasMessageContaining("must be 1 to 127 letters");
  }

  @Test
  void ofWorkersOfOneNameOnlyOneIsThereAndNobodyHangs() {
    List<Future<Rpc>> opened =
        Stream.of(0, 1, 2, 3).map(rank -> openInVain("same", rank(rank, 4))).toList();
    Future.join(opened).otherwiseEmpty().await();
    List<Future<Rpc>> refused = opened.stream().filter(Future::failed).toList();
    assertThat(refused)
        .hasSize(3)
        .allSatisfy(
            one ->
                assertThat(one.cause())
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageStartingWith("name \"same\" is not unique"));
    Rpc only = opened.stream().filter(Future::succeeded).findFirst().orElseThrow().result();
    assertThatThrownBy(() -> awaitInVain(only, only.ready()))
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith("only 1 of 4 workers joined within ");
    only.leave().await();
  }

  @Test
  void theOthersOfAWorldLearnWhoDidNotCome() {
    Rpc first = openInVain("a", rank(0, 3)).await();
    Rpc second = openInVain("b", rank(1, 3)).await();
    assertThatThrownBy(() -> open("a", rank(2, 3)).await())
        .hasMessageStartingWith(
            "name \"a\" is not unique: worker \"a\" of rank 0 has it; give each worker its own");
    for (Rpc innocent : List.of(first, second)) {
      assertThatThrownBy(() -> awaitInVain(innocent, innocent.ready()))
          .isInstanceOf(RendezvousException.class)
          .hasMessageStartingWith("only 2 of 3 workers joined within ")
          .hasMessageEndingWith(" s (a, b); start the missing ranks: 2");
    }
    Future.all(first.leave(), second.leave()).await();
  }

  @Test
  void aWorkerThatCameAndWasLostIsNoRankThatNobodyStarted() {
    Rpc first = openInVain("a", rank(0, 3)).await();
    Rpc second = openInVain("b", rank(1, 3)).await();
    second.leave().await();
    assertThatThrownBy(() -> awaitInVain(first, first.ready()))
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith("only 1 of 3 workers joined within ")
        .hasMessageEndingWith(" s (a); b joined and left; start the missing ranks: 1, 2");
    first.leave().await();
  }

  @Test
  void aWorldThatWasCompleteIsReadyThoughAWorkerIsLostBeforeAnybodyAsks() {
    Rpc first = openInVain("a", rank(0, 2)).await();
    Rpc second = openInVain("b", rank(1, 2)).await();
    World.eventually(() -> first.workers().size() == 2);
    second.leave().await();
    World.eventually(() -> first.workers().size() == 1);
    assertThat(first.ready().await()).isNull();
    first.leave().await();
  }

  @Test
  void aSecondStartIsRefusedAndTheFirstGoesOn() {
    Rpc first = open("a", rank(0, 1)).await();
    assertThatThrownBy(() -> open("a", rank(0, 1)).await())
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith("rank 0 is not unique: worker \"a\" of rank 0 has it");
    assertThat(first.rpcSync("a", Probe::sum, 1, 2)).isEqualTo(3);
    first.shutdown().await();
  }

  @Test
  void aWorkerMayBeStartedAgainAfterItsEnd() {
    for (int life = 0; life < 2; life++) {
      Rpc first = open("a", rank(0, 2)).await();
      Rpc second = open("b", rank(1, 2)).await();
      first.ready().await();
      assertThat(first.rpcSync("b", Tensor::add, Tensor.of(1), Tensor.of(1)).item()).isEqualTo(2);
      assertThat(second.rpcSync("a", Probe::where)).isEqualTo("a for b");
      Future.all(first.shutdown(), second.shutdown()).await();
    }
  }

  @Test
  void aWorkerWhoseGoodbyeWasLostIsReachedUnderItsNameAgain() {
    try (FaultyNetwork network = new FaultyNetwork(1)) {
      network.attach("b", hosts.get(1));
      Rpc first = open("a", rank(0, 2)).await();
      Rpc gone = open("b", rank(1, 2)).await();
      Future.all(first.ready(), gone.ready()).await();
      network.suffer(Fault.drop(1).calling("ShutdownProtocol.goodbye"));
      gone.leave().await();
      assertThat(network.history()).isNotEmpty();
      network.heal();
      Rpc again = open("b", rank(1, 2)).await();
      assertThat(first.rpcSync("b", Probe::where)).isEqualTo("b for a"); // as soon as it is open
      assertThat(again.rpcSync("a", Probe::where)).isEqualTo("a for b");
      assertThat(first.workers()).hasSize(2);
      Future.all(first.shutdown(), again.shutdown()).await();
    }
  }

  @Test
  void aWorldMayHaveOneWorker() {
    Rpc me = Rpc.init(hosts.getFirst(), "me", rank(0, 1));
    Tensor x = Tensor.of(1);
    assertThat(me.rpcSync("me", Tensor::add, x, x).item()).isEqualTo(2);
    assertThat(me.rpcAsync("me", Tensor::add, x, x).await().item()).isEqualTo(2);
    assertThat(me.remote("me", Tensor::add, x, x).toHere().item()).isEqualTo(2);
    me.close();
  }

  @Test
  void aDynamicGroupMayHaveOneMember() {
    Rpc only = Rpc.init(hosts.getFirst(), "a", RpcOptions.dynamic(0));
    assertThat(only.workers()).containsExactly(new WorkerInfo("a", 0));
    only.close();
  }

  @Test
  void aDynamicMemberHasARank() {
    assertThatThrownBy(() -> RpcOptions.dynamic(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDynamicMemberOfAStaticWorldIsToldSo() {
    Rpc first = open("a", rank(0, 1)).await();
    Rpc stranger = open("b", RpcOptions.dynamic(1)).await();
    assertThatThrownBy(() -> stranger.ready().await())
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "worker \"a\" was started for a world of 1, but this worker for a dynamic group; use"
                + " the same world size for all workers");
    Future.all(first.leave(), stranger.leave()).await();
  }

  @Test
  void aWorkerOfAnotherProgramIsRefusedWithBothNames() {
    Rpc first = open("a", rank(0, 2).withProgram("mnist")).await();
    Rpc stranger = open("b", rank(1, 2).withProgram("batch")).await();
    assertThatThrownBy(() -> stranger.ready().await())
        .isInstanceOf(RendezvousException.class)
        .hasMessageMatching(
            "worker \"a\" runs mnist on Tensorbus .*, but this worker runs batch on Tensorbus .*;"
                + " start all workers with the same program from the same build, or use another"
                + " master port for this world");
    stranger.leave().await();
    Rpc second = open("b", rank(1, 2).withProgram("mnist")).await(); // its place is free again
    Future.all(first.ready(), second.ready()).await();
    Future.all(first.shutdown(), second.shutdown()).await();
  }

  /// Puts a worker of the first host into the register, which another build made.
  private void register(Member stranger) {
    hosts
        .getFirst()
        .sharedData()
        .getAsyncMap(BusAddresses.MEMBERS)
        .await()
        .put("rank/" + stranger.info().id(), stranger.encode())
        .await();
  }

  /// Hazelcast repeats a claim whose answer it has lost, and then answers with the claim itself.
  @Test
  void aClaimThatWasRepeatedIsNotTakenForAnotherWorkers() {
    Member member = stranger("a", 0, "mnist");
    register(member);
    ClusterNode node = ClusterNode.of(hosts.getFirst());
    Membership membership =
        new Membership(hosts.getFirst(), node, member, rank(0, 2), Platform.ofSystem("test"));
    membership.join();
    assertThat(membership.self()).isEqualTo(member);
  }

  private Member stranger(String name, int rank, String program) {
    return new Member(
        new Sender(new WorkerInfo(name, rank), 1),
        ClusterNode.of(hosts.getFirst()).node(),
        2,
        program,
        new ValueCodec(List.of()).schemas());
  }

  @Test
  void aWorkerOfAnotherVersionIsRefusedWithBothVersions() {
    register(stranger("a", 0, "Tensorbus 0.0.1 (protocol 3)"));
    Rpc second = open("b", rank(1, 2)).await();
    assertThatThrownBy(() -> second.ready().await())
        .isInstanceOf(RendezvousException.class)
        .hasMessageMatching(
            "worker \"a\" runs Tensorbus 0\\.0\\.1 \\(protocol 3\\), but this worker runs Tensorbus"
                + " .*; start all workers with the same program from the same build, or use another"
                + " master port for this world");
    second.leave().await();
  }

  @Test
  void aRankZeroThatDiffersFromAllOthersSaysHowItDiffers() {
    register(stranger("b", 1, "mnist on Tensorbus 0.0.1 (protocol 3)"));
    Rpc odd = openInVain("a", rank(0, 2).withProgram("batch")).await();
    assertThatThrownBy(() -> awaitInVain(odd, odd.ready()))
        .isInstanceOf(RendezvousException.class)
        .hasMessageMatching(
            "only 1 of 2 workers joined within 1 s \\(a\\); start the missing ranks: 1; worker"
                + " \"b\" runs mnist on Tensorbus 0\\.0\\.1 \\(protocol 3\\), but this worker runs"
                + " batch on Tensorbus .*; start all workers with the same program .*");
    odd.leave().await();
  }

  @Test
  void aMemberOfADynamicGroupThatDiffersIsNamedToWhoeverWaitsForIt() {
    Member stranger = stranger("b", 1, "mnist on Tensorbus 0.0.1 (protocol 3)");
    register(stranger);
    Rpc first = openInVain("a", RpcOptions.dynamic(0)).await();
    assertThatThrownBy(() -> awaitInVain(first, first.awaitWorker("b", BRIEFLY)))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining(
            "known workers: a; worker \"b\" runs mnist on Tensorbus 0.0.1 (protocol 3), but this"
                + " worker");
    first.leave().await();
  }

  @Test
  void aWorkerOfAnotherBuildIsToldWhichTypeDiffers() {
    SortedMap<String, String> types = new TreeMap<>(new ValueCodec(List.of()).schemas().each());
    types.put(Parcel.class.getName(), "0123456789ab");
    register(
        Member.of(
            new Sender(new WorkerInfo("a", 0), 1),
            ClusterNode.of(hosts.getFirst()).node(),
            rank(0, 2),
            new Schemas("another build's", types)));
    Rpc stranger = open("b", rank(1, 2)).await();
    assertThatThrownBy(() -> stranger.ready().await())
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "dev.tensorbus.rpc.Parcel of worker \"a\" differs from this worker's class of that"
                + " name: fields or constants differ; start all workers from the same build");
    stranger.leave().await();
  }

  @Test
  void optionsSayWhatWasGiven() {
    RpcOptions options =
        RpcOptions.worldSize(4)
            .withRank(3)
            .withMaxCalls(27)
            .withTimeout(Duration.ofSeconds(100))
            .withLeakCheck(LeakCheck.WARN);
    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(100));
    assertThat(options.maxCalls()).isEqualTo(27);
    assertThat(options.rank()).isEqualTo(3);
    assertThat(options.leakCheck()).isEqualTo(LeakCheck.WARN);
    assertThat(RpcOptions.worldSize(1).timeout()).isEqualTo(Duration.ofSeconds(60));
    assertThatThrownBy(() -> options.withTimeout(Duration.ZERO))
        .hasMessage("timeout PT0S must be positive; for no limit use 10,000 days");
  }

  @Test
  void theDefaultTimeIsUsedWhereACallHasNone() {
    Rpc hasty = open("a", rank(0, 1).withTimeout(Duration.ofMillis(20))).await();
    List<Future<Void>> calls =
        Stream.generate(() -> hasty.rpcAsync("a", Probe::block)).limit(10).toList();
    for (Future<Void> call : calls) {
      assertThatThrownBy(call::await)
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage("a did not answer Probe.block within 0.02 s");
    }
    Future<Void> patient =
        hasty
            .with(CallOptions.DEFAULT.withoutTimeout())
            .rpcAsync("a", Probe::awaitCancelled)
            .mapEmpty();
    assertThat(patient.isComplete()).isFalse();
    hasty.leave().await();
  }

  @Test
  void debugInfoHasAKeyForEachThingThatIsHeld() {
    Rpc only = open("a", rank(0, 1)).await();
    assertThat(only.debugInfo())
        .containsOnlyKeys(
            "autograd.contexts",
            "autograd.passes",
            "autograd.receives",
            "autograd.sends",
            "lane.bus",
            "lane.shared_memory",
            "lane.transfers",
            "lane.socket",
            "rpc.pending_calls",
            "rpc.served_calls",
            "rpc.waiting_calls",
            "rref.forks",
            "rref.held",
            "rref.owned",
            "rref.unconfirmed");
    only.leave().await();
  }
}
