// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.call.GivenPeers;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.SentAttachments;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransmitterTest {
  private static final Sender SELF = new Sender(new WorkerInfo("worker0", 0), 1);
  private static final Sender OTHER = new Sender(new WorkerInfo("worker1", 1), 2);

  /// Tensors for which memory runs out when they are to be sent.
  private static final Transfer FAILING =
      new Transfer() {
        @Override
        public void start() {
          throw new InternalError("no room");
        }

        @Override
        public void end() {}
      };

  private static void function() {}

  @Test
  void aCallThatCannotBeSentFailsAndIsNotWaitedFor() {
    Clock clock = Platform.ofSystem("worker0").clock();
    PendingCalls pending = new PendingCalls("worker0", clock, life -> false, () -> {});
    Peers peers = new GivenPeers(SELF, life -> true, (to, frame) -> Future.succeededFuture());
    Call<Void> call = Call.of((V0) TransmitterTest::function);
    Call<Void> patient = call.with(CallOptions.DEFAULT.withRetry(World.PATIENCE));
    PendingCall<Void> pendingCall =
        new PendingCall<>(patient, Target.life(OTHER), SentAttachments.NONE, World.PATIENCE, clock);
    pendingCall.to(OTHER, "node");
    pending.add(pendingCall);
    Payload nothing = new Payload(List.of(), new byte[0]);
    new Transmitter(peers, pending, clock)
        .start(pendingCall, new PayloadCodec.Encoded(Attached.NONE, nothing, FAILING, false));
    assertThat(pendingCall.answer().future().cause()).isInstanceOf(InternalError.class);
    assertThat(pending.size()).isZero();
    clock.stop();
  }
}
