// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.SentAttachments;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Each call ends once, and whoever waits for the end of all calls hears of it.
public class PendingCallsRace {
  private static final Clock CLOCK = Platform.ofSystem("worker0").clock();
  private static final Sender PEER = new Sender(new WorkerInfo("worker1", 1), 1);
  private static final Call<Void> CALL = Call.of((V0) PendingCallsRace::function);

  private PendingCallsRace() {}

  private static void function() {}

  private static PendingCall<?> newCall() {
    PendingCall<?> call =
        new PendingCall<>(
            CALL, Target.life(PEER), SentAttachments.NONE, Duration.ofMinutes(1), CLOCK);
    call.to(PEER, "node");
    return call;
  }

  /// A call that its answer ends, or its time-out.
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0, true", "0, 1, true"},
      expect = ACCEPTABLE,
      desc = "one of them ended the call")
  public static class AnswerAndTimeout {
    private final PendingCalls pending =
        new PendingCalls("worker0", CLOCK, sender -> false, () -> {});

    private final PendingCall<?> call = newCall();
    private final Future<Void> none;

    /// Notes the call.
    public AnswerAndTimeout() {
      pending.add(call);
      none = pending.none();
    }

    /// The answer comes.
    @Actor
    public void answer() {
      pending.answer(call, new Frame(new byte[0]));
    }

    /// The call is given up.
    @Actor
    public void fail(IIZ_Result result) {
      result.r2 = pending.fail(call, new RpcTimeoutException("late")) ? 1 : 0;
    }

    /// What has come of it.
    @Arbiter
    public void look(IIZ_Result result) {
      result.r1 = call.answer().future().succeeded() ? 1 : 0;
      result.r3 = none.isComplete() && pending.size() == 0;
    }
  }

  /// A call to a worker that leaves at that moment.
  @JCStressTest
  @State
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "the call has failed, and none waits")
  public static class CallAndDeparture {
    private final PendingCall<?> call = newCall();
    private volatile boolean isGone;

    private final PendingCalls pending =
        new PendingCalls("worker0", CLOCK, sender -> isGone, () -> {});

    /// The call is made.
    @Actor
    public void add() {
      pending.add(call);
    }

    /// Its worker leaves.
    @Actor
    public void leave() {
      isGone = true;
      pending.workerLost(PEER, lost -> new NoSuchWorkerException("worker1", "left", true));
    }

    /// What has come of it.
    @Arbiter
    public void look(ZZ_Result result) {
      result.r1 = call.answer().future().failed();
      result.r2 = pending.size() == 0 && pending.none().isComplete();
    }
  }
}
