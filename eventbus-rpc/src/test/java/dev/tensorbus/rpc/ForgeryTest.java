// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.autograd.DistContext;
import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.graph.AutogradCalls;
import dev.tensorbus.rpc.observe.profiler.Profiler;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.transport.bus.FrameCodec;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Cancel;
import dev.tensorbus.rpc.wire.message.Release;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import dev.tensorbus.rpc.wire.message.Response.Outcome;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import dev.tensorbus.rpc.world.membership.Introduction;
import dev.tensorbus.rpc.world.membership.Member;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The sender of a message is the worker whose node it comes from, whatever it says: here worker2's
/// node speaks in worker0's and worker1's names.
class ForgeryTest {
  private static final int FORGER = 2;
  private static final long MINUTE = World.PATIENCE.toNanos();

  private final MemoryWorld world = new MemoryWorld(3);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// As the register shows it to everybody.
  private String entry(String worker) {
    return world
        .worker(FORGER)
        .vertx()
        .sharedData()
        .<String, Object>getAsyncMap(BusAddresses.MEMBERS)
        .compose(register -> register.get("name/" + worker))
        .map(entry -> (String) entry)
        .await();
  }

  private Sender life(String worker) {
    return Member.decode(entry(worker)).sender();
  }

  private void send(int host, String to, Frame frame) {
    DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);
    world.worker(host).vertx().eventBus().sender(life(to).address(), options).write(frame).await();
  }

  /// Messages of one node are taken in order.
  private void awaitTaken(int host, String by) {
    world.worker(host).rpcSync(by, Probe::where);
  }

  @Test
  void aCancelInAnothersNameKeepsNoneOfItsCallsOut() {
    for (int number = 1; number <= 100; number++) {
      send(FORGER, "worker1", new Cancel(number, life("worker0")).toFrame());
    }
    awaitTaken(FORGER, "worker1");
    for (int n = 1; n <= 100; n++) {
      assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(n);
    }
  }

  @Test
  void aCancelFarAheadKeepsNoOtherCallOut() {
    send(0, "worker1", new Cancel(1L << 40, life("worker0")).toFrame());
    awaitTaken(0, "worker1");
    for (int n = 1; n <= 100; n++) {
      assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(n);
    }
  }

  @Test
  void aRequestInAnothersNameIsNotRun() {
    FunctionName count = Call.of((RemoteFunction.F0<Integer>) Probe::count).function();
    send(FORGER, "worker1", request(1_000, life("worker0"), count));
    awaitTaken(FORGER, "worker1");
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }

  /// A request without arguments whose sender waits for no earlier one.
  private static Frame request(long number, Sender from, FunctionName function) {
    Request.Head head =
        new Request.Head(number, number, from, MINUTE, false, false, function, Attached.NONE);
    byte[] noArguments = new ValueCodec(List.of()).encode(new Object[0], null);
    Payload nothing = new Payload(Payload.IN_MESSAGE, List.of(), noArguments);
    return new Request(head, nothing).toFrame();
  }

  @Test
  void aGreetingInAnothersNameKeepsNoneOfItsCallsOut() {
    FunctionName welcome = new FunctionName(Introduction.class.getName(), "welcome");
    send(FORGER, "worker1", request(1L << 60, life("worker0"), welcome));
    awaitTaken(FORGER, "worker1");
    assertThat(World.await(rpc.rpcAsync("worker1", Probe::count))).isEqualTo(1);
  }

  @Test
  void anAnswerInAnothersNameEndsNoCall() {
    Future<Void> call = rpc.rpcAsync("worker1", Probe::block);
    rpc.rpcSync("worker1", Probe::awaitBlocked);
    Response.Failure failure = new Response.Failure("Forged", "forged", "");
    for (int number = 1; number <= 100; number++) {
      long life = life("worker1").incarnation();
      Response answer =
          new Response(number, life, Outcome.THREW, false, Attached.NONE, null, failure);
      send(FORGER, "worker0", answer.toFrame());
    }
    awaitTaken(FORGER, "worker0");
    assertThat(call.isComplete()).isFalse();
    rpc.rpcSync("worker1", Probe::unblock);
    assertThat(call.await()).isNull();
  }

  private final Tensor leaf = Tensor.parameterOf(Tensor.of(2));

  private Tensor product(DistContext context) {
    return context.call(() -> rpc.rpcSync("worker1", Tensor::mul, leaf, leaf));
  }

  private void requireGradient(DistContext context, Tensor product) {
    context.backward(product.sum());
    assertThat(context.gradients().get(leaf).item()).isEqualTo(4);
  }

  private Frame release(String from, long context) {
    return new Release(life(from), List.of(context)).toFrame();
  }

  @Test
  void aReleaseInAnothersNameEndsNoContext() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor product = product(context);
      send(FORGER, "worker1", release("worker0", context.id()));
      awaitTaken(FORGER, "worker1");
      requireGradient(context, product);
    }
  }

  @Test
  void aReleaseOfAWorkerThatTakesNoPartEndsNoContext() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor product = product(context);
      send(FORGER, "worker1", release("worker2", context.id()));
      send(FORGER, "worker0", release("worker2", context.id()));
      awaitTaken(FORGER, "worker1");
      awaitTaken(FORGER, "worker0");
      requireGradient(context, product);
    }
  }

  @Test
  void onlyTheWorkerThatOpenedAContextClosesItThere() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor product = product(context);
      send(1, "worker0", release("worker1", context.id()));
      awaitTaken(1, "worker0");
      requireGradient(context, product);
    }
  }

  @Test
  void aPassThatMeetsAContextThatIsGoneEndsAtOnceWithTheReason() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor product = product(context);
      send(0, "worker1", release("worker0", context.id()));
      World.eventually(() -> world.worker(1).debugInfo().get("autograd.contexts") == 0);
      assertThatThrownBy(() -> context.backward(product.sum()))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining(
              "autograd context "
                  + context.id()
                  + " is over on worker1, which the pass needs: released by worker0");
    }
  }

  @Test
  void aFailureOfAWorkerThatTakesNoPartEndsNoPass() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor product = product(context);
      for (long pass = context.id(); pass < context.id() + 10; pass++) {
        for (String worker : List.of("worker0", "worker1")) {
          call(AutogradCalls.class, worker, "receiveFailure", context.id(), pass, "Forged", "");
        }
      }
      requireGradient(context, product);
    }
  }

  /// A control call of the forger.
  private <R> R call(Class<?> type, String to, String method, Object... arguments) {
    String function = type.getName() + "." + method;
    return world.worker(FORGER).rpcSync(to, function, arguments);
  }

  @Test
  void aMeetingIsForItsMembersOnly() {
    CollectiveRound round =
        new CollectiveRound("barrier", List.of(life("worker0"), life("worker1")), 1);
    assertThatThrownBy(() -> call(Collectives.class, "worker0", "arrive", round, true, 0L))
        .hasMessageContaining("barrier of worker0, worker1: worker2 is not a member of the round");
    List<String> both = List.of("worker0", "worker1");
    Future<Void> first = rpc.barrierAsync(both);
    assertThat(world.worker(1).barrierAsync(both).compose(done -> first).await()).isNull();
  }

  @Test
  void aWorkerIntroducesItselfOnly() {
    assertThatThrownBy(() -> call(Introduction.class, "worker1", "welcome", entry("worker0")))
        .hasMessageContaining("worker2 introduces worker0; a worker may introduce only itself");
  }

  @Test
  void aRecordingIsForTheWorkerThatAskedForIt() {
    String recordings = Profiler.class.getPackageName() + ".Recordings";
    assertThat(rpc.<Boolean>rpcSync("worker1", recordings + ".start", "profile")).isTrue();
    assertThatThrownBy(
            () -> world.worker(FORGER).rpcSync("worker1", recordings + ".next", "profile"))
        .hasMessageContaining("profiler: this worker has no recording profile of worker2");
    rpc.rpcSync("worker1", recordings + ".stop", "profile");
    assertThat(rpc.<Object>rpcSync("worker1", recordings + ".next", "profile")).isNotNull();
  }
}
