// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.membership.Introduction;
import dev.tensorbus.rpc.membership.Member;
import dev.tensorbus.rpc.transport.FrameCodec;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.GraphLink;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.ThreadModes;
import dev.tensorbus.rpc.wire.message.Cancel;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import dev.tensorbus.rpc.wire.message.Response.Outcome;
import dev.tensorbus.rpc.wire.value.ValueCodec;
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
  private Sender life(String worker) {
    return world
        .host(FORGER)
        .sharedData()
        .<String, Object>getAsyncMap(BusAddresses.MEMBERS)
        .compose(register -> register.get("name/" + worker))
        .map(entry -> Member.decode((String) entry).sender())
        .await();
  }

  private void send(int host, String to, Frame frame) {
    DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);
    world.host(host).eventBus().sender(life(to).address(), options).write(frame).await();
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
        new Request.Head(
            number,
            number,
            from,
            MINUTE,
            false,
            false,
            false,
            function,
            null,
            null,
            null,
            ThreadModes.NONE);
    byte[] noArguments = new ValueCodec(List.of()).encode(new Object[0], null);
    Payload nothing = new Payload(GraphLink.NONE, Payload.IN_MESSAGE, List.of(), noArguments);
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
      Response answer = new Response(number, life, Outcome.THREW, false, null, failure);
      send(FORGER, "worker0", answer.toFrame());
    }
    awaitTaken(FORGER, "worker0");
    assertThat(call.isComplete()).isFalse();
    rpc.rpcSync("worker1", Probe::unblock);
    assertThat(call.await()).isNull();
  }
}
