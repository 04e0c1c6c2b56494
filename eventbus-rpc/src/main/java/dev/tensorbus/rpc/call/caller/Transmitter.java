// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Cancel;
import dev.tensorbus.rpc.wire.message.Probe;
import dev.tensorbus.rpc.wire.message.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Sends requests. Repeats the requests of calls with retries until they are answered or
/// acknowledged. For an acknowledged call, sends probes that request the answer, since an answer
/// may be lost.
public record Transmitter(Peers peers, PendingCalls pending, Clock clock) {
  /// The maximum interval between two repetitions, and the interval between two probes.
  public static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  /// How long a repeated request may be undeliverable before the call fails.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private Sender self() {
    return peers.self().sender();
  }

  /// Sends a call that is registered as pending. If sending fails, the call fails.
  void start(PendingCall<?> pendingCall, PayloadCodec.Encoded arguments) {
    try {
      pendingCall.request(request(pendingCall, arguments));
      transmit(pendingCall);
      arguments.transfer().start();
      repeatIfWanted(pendingCall);
    } catch (RuntimeException | Error e) { // including OutOfMemoryError
      pending.fail(pendingCall, e);
    }
  }

  private Request request(PendingCall<?> pendingCall, PayloadCodec.Encoded arguments) {
    Request.Head head =
        new Request.Head(
            pendingCall.number(),
            pendingCall.firstIncomplete(),
            self(),
            pendingCall.limit().toNanos(),
            pendingCall.options().retryAfter() != null,
            pendingCall.options().failsWhenBusy(),
            pendingCall.function(),
            arguments.attached());
    return new Request(head, arguments.payload());
  }

  private void transmit(PendingCall<?> pendingCall) {
    peers
        .send(pendingCall.to(), pendingCall.frame())
        .onSuccess(done -> pendingCall.delivered())
        .onFailure(error -> undelivered(pendingCall, error));
  }

  /// Fails an undeliverable call. A call with retries fails only if the worker stays unreachable,
  /// since the cluster may just be reorganizing.
  private void undelivered(PendingCall<?> pendingCall, Throwable error) {
    boolean isRepeated = pendingCall.options().retryAfter() != null;
    if (!isRepeated || pendingCall.undelivered() > PATIENCE_NANOS) {
      pending.fail(pendingCall, unreachable(pendingCall, error, isRepeated));
    }
  }

  private static NoSuchWorkerException unreachable(
      PendingCall<?> pendingCall, Throwable error, boolean mayHaveRun) {
    String name = pendingCall.to().info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " cannot be reached for "
            + pendingCall.function()
            + (mayHaveRun ? "; the method may have run: " : ", which has not run: ")
            + (error.getMessage() == null ? error : error.getMessage()),
        mayHaveRun);
  }

  /// Schedules the first repetition of a call with retries. Other calls get no alarm, which would
  /// wake the clock's thread unnecessarily.
  private void repeatIfWanted(PendingCall<?> pendingCall) {
    Duration first = pendingCall.options().retryAfter();
    if (first != null) {
      ScheduledFuture<?> alarm = clock.alarm(first.toNanos(), () -> repeat(first, pendingCall));
      pendingCall.answer().future().onComplete(done -> Clock.cancel(alarm));
    }
  }

  private void repeat(Duration interval, PendingCall<?> pendingCall) {
    if (pending.contains(pendingCall) && !pendingCall.isAcknowledged()) {
      pendingCall.repeated();
      transmit(pendingCall);
      Duration twice = interval.multipliedBy(2);
      Duration next = twice.compareTo(LONGEST_RETRY) < 0 ? twice : LONGEST_RETRY;
      clock.after(next.toNanos(), () -> repeat(next, pendingCall));
    }
  }

  /// Requests the answers to acknowledged calls, thousands in one message.
  public void probe() {
    pending.acknowledged().forEach(this::probe);
  }

  private void probe(Sender to, List<PendingCall<?>> calls) {
    for (int first = 0; first < calls.size(); first += Probe.MOST_CALLS) {
      int end = Math.min(first + Probe.MOST_CALLS, calls.size());
      List<PendingCall<?>> some = calls.subList(first, end);
      Probe probe = new Probe(self(), some.stream().map(PendingCall::number).toList());
      peers
          .send(to, probe.toFrame())
          .onSuccess(done -> some.forEach(PendingCall::delivered))
          .onFailure(error -> some.forEach(call -> undelivered(call, error)));
    }
  }

  /// Notifies the callee that nobody waits for the answer to a call any more.
  void cancel(PendingCall<?> pendingCall) {
    Cancel cancel = new Cancel(pendingCall.number(), self());
    peers.send(pendingCall.to(), cancel.toFrame());
  }
}
