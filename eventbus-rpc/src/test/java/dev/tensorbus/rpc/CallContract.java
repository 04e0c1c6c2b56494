// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RemoteFunction.F2;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The arguments, results and errors of calls; the subclasses say how the workers are connected.
abstract class CallContract {
  private World world;
  private Rpc first;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(3);
    first = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aWorkerIsFoundByNameAndByRank() {
    assertThat(first.self()).isEqualTo(new WorkerInfo("worker0", 0));
    assertThat(first.worker("worker1")).isEqualTo(new WorkerInfo("worker1", 1));
    assertThat(first.rpcSync(first.worker(2).name(), Probe::where))
        .isEqualTo("worker2 for worker0");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void anUnknownRankIsNamed(int rank) {
    assertThatThrownBy(() -> first.worker(rank))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("no worker of rank " + rank + "; known workers: worker0, worker1, worker2");
  }

  @Test
  void callsFollowEachOther() {
    for (int i = 0; i < 20; i++) {
      assertThat(first.rpcSync("worker1", Probe::sum, i, i)).isEqualTo(2 * i);
    }
  }

  @Test
  void aThousandCallsAreUnderWayAtOnce() {
    List<Future<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      calls.add(first.rpcAsync("worker1", Errands::number, i));
    }
    Future.all(calls).await();
    assertThat(calls.getLast().result()).isEqualTo(999);
  }

  @ParameterizedTest
  @EnumSource
  void theCalleeWorksOnItsOwnCopy(CallMode mode) {
    float[] values = new float[100 * 100];
    assertThat(mode.call(first, "worker1", Errands::scribble, values)).isZero();
    assertThat(values).containsOnly(0);
  }

  @Test
  void heavyCallsAreUnderWayAtOnce() {
    List<Future<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(first.rpcAsync("worker1", Errands::scribble, new float[100 * 100]));
    }
    Future.all(calls).await();
  }

  @ParameterizedTest
  @EnumSource
  void operationsTakeNumbersAndGiveIndices(CallMode mode) {
    Tensor x = Tensor.of(1, 3, 2);
    assertThat(mode.call(first, "worker1", Tensor::scale, x, 2.0).values())
        .containsExactly(2, 6, 4);
    Tensor index = mode.call(first, "worker1", Tensor::argmax, x, 0);
    assertThat(index.item()).isEqualTo(1);
  }

  @Test
  void aMethodOfTheJdkIsRefused() {
    assertThatThrownBy(() -> first.rpcSync("worker1", Integer::sum, 1, 2))
        .hasMessageContaining("Integer.sum is not marked @Remote");
  }

  @ParameterizedTest
  @EnumSource
  void aRecordIsMadeElsewhereAndComesBackByValue(CallMode mode) {
    assertThat(mode.call(first, "worker1", Parcel::empty, 3))
        .isEqualTo(new Parcel(3, List.of(), Map.of()));
  }

  @Test
  void aConstructorIsCalledByItsName() {
    Parcel made = first.rpcSync("worker1", Parcel::new, 4, List.of(), Map.of());
    assertThat(made.weight()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void anObjectThatTravelsIsAMethodsFirstArgument(CallMode mode) {
    Parcel parcel = new Parcel(2, List.of(), Map.of());
    assertThat(mode.call(first, "worker1", Parcel::weightWith, parcel, 5)).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void aStaticMethodGivesABoolean(CallMode mode) {
    assertThat(mode.call(first, "worker1", Errands::isMoreThanTen, 11.5)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void containersKeepTheirShape(CallMode mode) {
    Tensor tensor = Tensor.of(1, 2);
    List<Tensor> shared = List.of(tensor);
    Parcel sent = new Parcel(1, List.of(shared, shared), Map.of(tensor, "label"));
    Parcel came = mode.call(first, "worker1", Parcel::send, sent);
    assertThat(came.content().get(0)).isSameAs(came.content().get(1));
    Tensor there = came.content().get(0).getFirst();
    assertThat(there.values()).containsExactly(1, 2);
    assertThat(came.labels().get(there)).isEqualTo("label");
  }

  @ParameterizedTest
  @EnumSource
  void sparseTensorsStaySparse(CallMode mode) {
    int[] rows = {7, 2};
    Shape large = Shape.of(Integer.MAX_VALUE, 1); // no array is as long
    Tensor sparse = Tensor.ofRows(new SparseRows(large, rows, Tensor.of(1, 2).reshape(2, 1)));
    Parcel sent = new Parcel(1, List.of(List.of(sparse, sparse)), Map.of());
    Tensor came = mode.call(first, "worker1", Parcel::send, sent).content().getFirst().getFirst();
    assertThat(came.sparseRows().rows()).containsExactly(rows);
    assertThat(came.sparseRows().values().values()).containsExactly(1, 2);
    Tensor sum = mode.call(first, "worker1", Tensor::add, sparse, sparse);
    assertThat(sum.sparseRows().coalesced().rows()).containsExactly(2, 7);
    assertThat(sum.sparseRows().coalesced().values().values()).containsExactly(4, 2);
  }

  @Test
  void argumentsOfSeveralKindsAreBoundInOrder() {
    assertThat(first.rpcSync("worker1", Errands::describe, "a", 7, Tensor.zeros(2, 3), null))
        .isEqualTo("a 7 [2, 3] null");
  }

  private static Call<Integer> call(String type, String method, Object... arguments) {
    return new Call<>(new FunctionName(type, method), List.of(arguments), CallOptions.DEFAULT);
  }

  @ParameterizedTest
  @EnumSource
  void aFunctionThatTheCalleeDoesNotHaveIsNamed(CallMode mode) {
    assertThatThrownBy(() -> mode.call(first, "worker1", call("dev.tensorbus.rpc.Gone", "it")))
        .isInstanceOf(RemoteException.class)
        .hasMessage(
            mode.callee(first, "worker1")
                + " failed in Gone.it: Gone.it: no class dev.tensorbus.rpc.Gone here; start all"
                + " workers from the same build");
    assertThatThrownBy(() -> mode.call(first, "worker1", call("dev.tensorbus.rpc.Probe", "gone")))
        .hasMessageContaining(
            "Probe.gone does not exist here; start all workers from the same build");
    assertThat(first.rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void tooFewArgumentsAreCounted(CallMode mode) {
    assertThatThrownBy(() -> mode.call(first, "worker1", call("dev.tensorbus.rpc.Probe", "sum", 1)))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("Probe.sum takes (int, int); got 1 argument");
    assertThatThrownBy(
            () -> mode.call(first, "worker1", call("dev.tensorbus.autograd.Tensor", "relu")))
        .hasMessageContaining("Tensor.relu takes (Tensor); got 0 arguments");
  }

  @ParameterizedTest
  @EnumSource
  void anArgumentOfAnotherTypeIsNamedAndTheMethodHasNotRun(CallMode mode) {
    assertThatThrownBy(
            () -> mode.call(first, "worker1", call("dev.tensorbus.rpc.Probe", "sum", 1, "two")))
        .isInstanceOf(RemoteException.class)
        .hasMessageEndingWith("Probe.sum takes (int, int); argument 2 is of type java.lang.String");
  }

  @Test
  void nullForAPrimitiveIsRefused() {
    assertThatThrownBy(() -> first.rpcSync("worker1", Probe::sum, 1, null))
        .isInstanceOfSatisfying(
            RemoteException.class, error -> assertThat(error.mayHaveRun()).isFalse())
        .hasMessageEndingWith("Probe.sum takes (int, int); argument 2 is null");
  }

  @Test
  void aCallHasUpToEightArguments() {
    assertThat(first.rpcSync("worker1", Errands::eight, 1, "b", 3L, 4f, 5.0, '6', true, null))
        .isEqualTo("1 b 3 4.0 5.0 6 true null");
    assertThat(first.rpcAsync("worker1", Errands::five, 1, 2, 3, 4, 5).await()).isEqualTo(15);
    first.rpcSync("worker1", Errands::sixForNothing, 1, 2, 3, 4, 5, 6);
    RRef<Errands> errands = first.remote("worker1", Errands::new);
    assertThat(errands.rpcSync(Errands::seven, 1, 2, 3, 4, 5, 6, 7)).isEqualTo(28);
    assertThat(errands.remote(Errands::seven, 1, 2, 3, 4, 5, 6, 7).toHere()).isEqualTo(28);
  }

  @Test
  void aWorkerIsCalledByItsInfoAndSoByItsRank() {
    assertThat(first.rpcSync(first.worker(1), Probe::where)).isEqualTo("worker1 for worker0");
    assertThat(first.rpcAsync(first.worker("worker2"), Probe::sum, 1, 2).await()).isEqualTo(3);
    try (RRef<Probe> probe = first.remote(first.worker(1), Probe::new, 4)) {
      assertThat(first.rpcSync(probe.owner(), Probe::plusThrough, probe, 1)).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMethodIsCalledByItsName(CallMode mode) {
    assertThat(mode.<Object>call(first, "worker1", Call.named("dev.tensorbus.rpc.Probe.sum", 1, 2)))
        .isEqualTo(3);
  }

  @Test
  void everyVerbTakesAName() {
    String type = "dev.tensorbus.rpc.Probe";
    int sum = first.rpcSync("worker1", type + ".sum", 1, 2);
    assertThat(sum).isEqualTo(3);
    assertThat(first.<Integer>rpcAsync("worker1", type + ".later", 4).await()).isEqualTo(5);
    try (RRef<Probe> probe = first.remote("worker1", type + ".new", 4)) {
      assertThat(probe.<Integer>rpcSync(type + ".plus", 1)).isEqualTo(5);
      assertThat(probe.<Integer>rpcAsync(type + ".plus", 2).await()).isEqualTo(6);
      assertThat(probe.remote(type + ".plus", 3).toHere()).isEqualTo(7);
    }
  }

  @Test
  void aNameThatNamesNothingIsAnError() {
    for (String wrong : List.of("update", "", "dev..Server.update", "a.b.", "Server update")) {
      assertThatThrownBy(() -> first.rpcSync("worker1", wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "\""
                  + wrong
                  + "\" does not name a method; write its class and package too, such as"
                  + " dev.example.Server.update, dev.example.Outer$Inner.update or"
                  + " dev.example.Server.new");
    }
    assertThatThrownBy(() -> first.rpcSync("worker1", "Probe.sum", 1, 2))
        .hasMessageEndingWith(
            "Probe.sum: no class Probe here; write its package too, as in"
                + " dev.example.Server.update");
    assertThatThrownBy(() -> first.rpcSync("worker1", "dev.tensorbus.rpc.Probe.secret"))
        .hasMessageContaining("Probe.secret is not marked @Remote");
  }

  @Test
  void aMethodOfVariableArityTakesAnArrayOrIsCalledByItsName() {
    Tensor vector = Tensor.of(1, 2, 3, 4);
    F2<Tensor, int[], Tensor> reshape = Tensor::reshape;
    Tensor square = first.rpcSync("worker1", reshape, vector, new int[] {2, 2});
    assertThat(square.shape()).isEqualTo(Shape.of(2, 2));
    String type = "dev.tensorbus.autograd.Tensor";
    Tensor turned = first.rpcSync("worker1", type + ".permute", square, 1, 0);
    assertThat(turned.values()).containsExactly(1, 3, 2, 4);
    Tensor sum = first.rpcSync("worker1", type + ".sum", square);
    assertThat(sum.item()).isEqualTo(10);
    Tensor ofRows = first.rpcSync("worker1", type + ".sum", square, 1);
    assertThat(ofRows.values()).containsExactly(3, 7);
    Tensor wide = first.rpcSync("worker1", type + ".expand", vector, new int[] {2, 4});
    assertThat(wide.shape()).isEqualTo(Shape.of(2, 4));
    Tensor mask = first.rpcSync("worker1", type + ".gt", vector, Tensor.scalar(2));
    assertThat(mask.booleans()).containsExactly(false, false, true, true);
    assertThatThrownBy(() -> first.rpcSync("worker1", type + ".expand", vector, 2, "wide"))
        .hasMessageEndingWith(
            "Tensor.expand takes (Tensor, int...); argument 3 is of type java.lang.String");
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker0", "worker1"})
  void remoteNeverThrowsWhatTheMethodThrowsAndFetchingDoes(String to) {
    RRef<Integer> failed = first.remote(to, Probe::fail, "expected");
    assertThatThrownBy(failed::toHere).hasMessageEndingWith("expected");
    RRef<Integer> wrong = first.create(to, call("dev.tensorbus.rpc.Probe", "sum", 1));
    assertThatThrownBy(wrong::toHere).hasMessageContaining("takes (int, int); got 1 argument");
  }

  @Test
  @ResourceLock("the level of a logger")
  void theCalleeLogsWhatItsMethodsThrow() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("dev.tensorbus.rpc.call.callee.CallExecutor");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      assertThatThrownBy(() -> first.rpcSync("worker0", Probe::fail, "noted"));
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
      logger.setLevel(before);
    }
    assertThat(logged)
        .contains("Probe.fail failed for worker0: java.lang.IllegalArgumentException: noted");
  }

  @Test
  void aCallToAWorkerThatHasLeftFailsThroughItsFuture() {
    world.worker(2).leave().await();
    World.eventually(() -> first.workers().size() == 2);
    Future<String> call = first.rpcAsync("worker2", Probe::where);
    assertThatThrownBy(call::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("no worker \"worker2\"; known workers: worker0, worker1");
  }

  @Test
  void aCallsOwnTimeGoesBeforeTheDefault() {
    Calls hurried = first.with(CallOptions.timeout(Duration.ofMillis(50)));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::block))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker1 did not answer Probe.block within 0.05 s");
    assertThatThrownBy(() -> hurried.rpcAsync("worker1", Probe::block).await())
        .isInstanceOf(RpcTimeoutException.class);
    Calls patient = hurried.with(CallOptions.DEFAULT.withoutTimeout());
    Future<Void> blocked = patient.rpcAsync("worker1", Probe::block);
    first.rpcSync("worker1", Probe::unblock);
    blocked.await();
  }
}
