// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.call.callee.IncomingCalls.Admission;
import dev.tensorbus.rpc.testing.ManualClock;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.WireTensor;
import dev.tensorbus.rpc.wire.message.Request;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Calls run or wait, and every place is given back.
class IncomingCallsTest {
  private final Clock clock = new ManualClock();
  private static final int MOST = 2;
  private static final Sender A = sender("a", 1);
  private static final Sender B = sender("b", 2);
  private static final Frame ANSWER = new Frame(new byte[8]);

  private final Set<Sender> gone = ConcurrentHashMap.newKeySet();
  private final IncomingCalls served = new IncomingCalls(MOST, gone::contains);
  private final List<Long> started = new ArrayList<>();
  private final List<Long> dropped = new ArrayList<>();

  private static Sender sender(String name, int rank) {
    return new Sender(new WorkerInfo(name, rank), rank);
  }

  private static Request.Head head(Sender from, long number) {
    return head(from, number, 1, false, false);
  }

  private static Request.Head head(
      Sender from, long number, long firstIncomplete, boolean mayRepeat, boolean failsWhenBusy) {
    return new Request.Head(
        number,
        firstIncomplete,
        from,
        Duration.ofMinutes(1).toNanos(),
        mayRepeat,
        failsWhenBusy,
        new FunctionName("Server", "update"),
        Attached.NONE);
  }

  private IncomingCall call(Request.Head head) {
    return call(head, false, 100);
  }

  private IncomingCall call(Request.Head head, boolean isControl, int bytes) {
    IncomingCall.Work work =
        new IncomingCall.Work() {
          @Override
          public void start() {
            started.add(head.call());
          }

          @Override
          public void drop() {
            dropped.add(head.call());
          }
        };
    CallContext context = new CallContext(new WorkerParts(), head, clock);
    return new IncomingCall(context, isControl, bytes, work);
  }

  private IncomingCall admit(Sender from, long number, Admission expected) {
    IncomingCall call = call(head(from, number));
    assertThat(served.admit(call)).isEqualTo(expected);
    return call;
  }

  private @Nullable Frame answerOf(IncomingCall call) {
    return served.answerOf(call.caller(), call.number());
  }

  private List<IncomingCall> fill() {
    return LongStream.rangeClosed(1, MOST)
        .mapToObj(number -> admit(A, number, Admission.RUN))
        .toList();
  }

  @Test
  void callsThatWaitAreStartedInOrderOfArrivalWhoeverSentThem() {
    List<IncomingCall> running = fill();
    admit(A, 11, Admission.WAIT);
    admit(B, 12, Admission.WAIT);
    admit(A, 13, Admission.WAIT);
    assertThat(started).isEmpty();
    running.forEach(call -> served.finish(call, ANSWER));
    assertThat(started).containsExactly(11L, 12L);
    assertThat(served.load()).isEqualTo("it runs 2 of at most 2 calls, with 1 queued");
  }

  @Test
  void aPlaceIsGivenBackOnce() {
    IncomingCall first = fill().getFirst();
    served.finish(first, ANSWER);
    served.finish(first, ANSWER);
    assertThat(served.running()).isEqualTo(MOST - 1);
  }

  @Test
  void aCallThatCannotBeStartedLeavesItsPlaceToTheNext() {
    IncomingCall first = fill().getFirst();
    for (long number = 11; number <= 12; number++) {
      IncomingCall call =
          new IncomingCall(
              new CallContext(new WorkerParts(), head(A, number), clock), false, 100, failing());
      assertThat(served.admit(call)).isEqualTo(Admission.WAIT);
    }
    admit(B, 13, Admission.WAIT);
    served.finish(first, ANSWER);
    assertThat(started).containsExactly(13L);
    assertThat(served.load()).isEqualTo("it runs 2 of at most 2 calls");
  }

  private static IncomingCall.Work failing() {
    return new IncomingCall.Work() {
      @Override
      public void start() {
        throw new InternalError("no room");
      }

      @Override
      public void drop() {}
    };
  }

  @Test
  void aPlaceIsGivenBackThoughTheAnswerCannotBeKept() {
    IncomingCall call = call(head(A, 1, 1, true, false));
    served.admit(call);
    Frame tooLarge =
        new Frame(
            new byte[8],
            new AbstractList<>() {
              @Override
              public WireTensor get(int index) {
                throw new InternalError("no room");
              }

              @Override
              public int size() {
                return 1;
              }
            });
    assertThatThrownBy(() -> served.finish(call, tooLarge)).isInstanceOf(InternalError.class);
    assertThat(served.running()).isZero();
    assertThat(served.admit(call(head(A, 1, 1, true, false)))).isEqualTo(Admission.FORGOTTEN);
  }

  @Test
  void controlCallsAreNotCountedAndDoNotWait() {
    for (int number = 1; number <= 10; number++) {
      IncomingCall control = call(head(A, number), true, 100);
      assertThat(served.admit(control)).isEqualTo(Admission.RUN);
    }
    assertThat(served.running()).isZero();
    LongStream.rangeClosed(11, 12).forEach(number -> admit(A, number, Admission.RUN));
    IncomingCall control = call(head(A, 13), true, 100);
    assertThat(served.admit(control)).isEqualTo(Admission.RUN);
    served.finish(control, ANSWER);
    assertThat(served.running()).isEqualTo(MOST);
  }

  @Test
  void whatADeadCallerAskedForCountsUntilItHasEnded() {
    List<IncomingCall> running = fill();
    served.workerLost(A);
    assertThat(running).allMatch(IncomingCall::isCancelled);
    assertThat(served.running()).isEqualTo(MOST);
    admit(B, 1, Admission.WAIT);
    served.finish(running.getFirst(), null);
    assertThat(started).containsExactly(1L);
    served.finish(running.getLast(), null);
    assertThat(served.running()).isEqualTo(1);
  }

  @Test
  void whatADeadCallerWaitedForNeverStarts() {
    List<IncomingCall> running = fill();
    admit(B, 11, Admission.WAIT);
    admit(A, 12, Admission.WAIT);
    served.workerLost(B);
    assertThat(dropped).containsExactly(11L);
    served.finish(running.getFirst(), ANSWER);
    assertThat(started).containsExactly(12L);
  }

  @Test
  void aCallThatIsGivenUpWhileItWaitsNeverStarts() {
    List<IncomingCall> running = fill();
    admit(A, 11, Admission.WAIT);
    served.cancel(A, 11);
    assertThat(dropped).containsExactly(11L);
    assertThat(served.waiting()).isZero();
    served.finish(running.getFirst(), ANSWER);
    assertThat(started).isEmpty();
    admit(A, 11, Admission.KNOWN);
  }

  @Test
  void aCallThatIsGivenUpBeforeItComesNeverStarts() {
    served.cancel(A, 1);
    admit(A, 1, Admission.KNOWN);
    admit(A, 2, Admission.RUN);
  }

  @Test
  void aRepeatOfACallThatWaitsIsPassedOver() {
    fill();
    assertThat(served.admit(call(head(A, 11, 1, true, false)))).isEqualTo(Admission.WAIT);
    assertThat(served.admit(call(head(A, 11, 1, true, false)))).isEqualTo(Admission.KNOWN);
    assertThat(served.waiting()).isEqualTo(1);
  }

  @Test
  void aCallHasEndedOnceItHasComeAndNeitherWaitsNorRuns() {
    IncomingCall running = fill().getFirst();
    IncomingCall waits = admit(A, 11, Admission.WAIT);
    assertThat(served.hasEnded(A, running.number())).isFalse();
    assertThat(served.hasEnded(A, waits.number())).isFalse();
    assertThat(served.hasEnded(A, 12)).isFalse();
    assertThat(served.hasEnded(B, 1)).isFalse();
    served.finish(running, ANSWER);
    assertThat(served.hasEnded(A, running.number())).isTrue();
  }

  @Test
  void whoWillNotWaitIsToldAndARepeatIsToldTheSame() {
    List<IncomingCall> running = fill();
    IncomingCall impatient = call(head(A, 11, 1, true, true));
    assertThat(served.admit(impatient)).isEqualTo(Admission.BUSY);
    served.finish(impatient, ANSWER);
    served.finish(running.getFirst(), ANSWER);
    IncomingCall repeat = call(head(A, 11, 1, true, true));
    assertThat(served.admit(repeat)).isEqualTo(Admission.ANSWERED);
    assertThat(answerOf(repeat)).isEqualTo(ANSWER);
  }

  @Test
  void notMoreThanSoManyCallsWait() {
    fill();
    LongStream.range(0, 65_536).forEach(number -> admit(B, 1 + number, Admission.WAIT));
    admit(B, 65_537, Admission.BUSY);
    served.cancel(B, 5);
    admit(B, 65_538, Admission.WAIT);
  }

  @Test
  void notMoreThanAnEighthOfTheHeapWaitsButOneCallAlwaysMay() {
    long eighth = Runtime.getRuntime().maxMemory() / 8;
    int large = (int) Math.min(Integer.MAX_VALUE, eighth / 2 + 1);
    int fit = (int) (eighth / large);
    fill();
    for (int number = 1; number <= Math.max(1, fit); number++) {
      IncomingCall each = call(head(B, number), false, large);
      assertThat(served.admit(each)).isEqualTo(Admission.WAIT);
    }
    assertThat(served.admit(call(head(B, 100), false, large))).isEqualTo(Admission.BUSY);
    served.workerLost(B);
    gone.clear();
    assertThat(served.admit(call(head(B, 1), false, Integer.MAX_VALUE))).isEqualTo(Admission.WAIT);
  }

  @Test
  void aCallIsKnownHoweverManyFollowIt() {
    IncomingCall first = call(head(A, 1, 1, true, false));
    assertThat(served.admit(first)).isEqualTo(Admission.RUN);
    for (long number = 3; number < 200_000; number++) {
      served.finish(admit(A, number, Admission.RUN), ANSWER);
    }
    assertThat(served.admit(call(head(A, 1, 1, true, false)))).isEqualTo(Admission.KNOWN);
    served.finish(first, ANSWER);
    assertThat(served.admit(call(head(A, 1, 1, true, false)))).isEqualTo(Admission.ANSWERED);
    admit(A, 2, Admission.RUN);
  }

  @Test
  void anAnswerIsKeptUntilItsCallerHasIt() {
    IncomingCall first = call(head(A, 1, 1, true, false));
    served.admit(first);
    served.finish(first, ANSWER);
    assertThat(answerOf(first)).isEqualTo(ANSWER);
    served.admit(call(head(A, 2, 2, true, false)));
    assertThat(answerOf(first)).isNull();
    assertThat(served.admit(call(head(A, 1, 1, false, false)))).isEqualTo(Admission.KNOWN);
  }

  @Test
  void whoIsGoneIsAdmittedNoMoreAndLeavesNothing() {
    admit(A, 1, Admission.RUN);
    gone.add(A);
    served.workerLost(A);
    admit(A, 2, Admission.GONE);
    served.cancel(A, 3);
    assertThat(served.callers()).isZero();
  }

  @Test
  void admissionAndDepartureExcludeEachOther() {
    for (int life = 0; life < 2_000; life++) {
      Sender caller = sender("c", 3 + life);
      IncomingCall call = call(head(caller, 1));
      CompletableFuture<Void> departure =
          CompletableFuture.runAsync(
              () -> {
                gone.add(caller);
                served.workerLost(caller);
              });
      if (served.admit(call) == Admission.RUN) {
        served.finish(call, ANSWER);
      }
      departure.join();
      assertThat(served.callers()).isZero();
      assertThat(served.running()).isZero();
    }
  }
}
