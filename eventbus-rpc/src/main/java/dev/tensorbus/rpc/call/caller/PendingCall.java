// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.SentAttachments;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.jfr.CallEvent;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A call that this worker makes. Holds the arguments, so that references among them stay alive
/// until the call ends.
///
/// @param <R> the type of the result
public final class PendingCall<R> {
  private final Call<R> call;
  private final Target target;
  private final SentAttachments attachments;
  private final Duration limit;
  private final NanoClock clock;
  private final Deadline deadline;
  private final Promise<Frame> answer = Promise.promise();

  /// The remote call whose method makes this call, or null.
  private final @Nullable CallContext within = CallContext.around();

  private volatile @Nullable Thread waiter;
  private @Nullable CallEvent event;
  private @Nullable Sender to;
  private String node = "";
  private @Nullable Request request;
  private Response.@Nullable Head answered;
  private long number;
  private long firstIncomplete;
  private volatile @Nullable Future<?> shown;
  private volatile boolean isAcknowledged;
  private volatile int repeats;

  private long undeliveredSince;

  /// Creates a call that has not been sent yet.
  ///
  /// @param attachments the call's attachments
  /// @param limit the timeout
  /// @param clock measures the timeout
  public PendingCall(
      Call<R> call, Target target, SentAttachments attachments, Duration limit, NanoClock clock) {
    this.call = call;
    this.target = target;
    this.attachments = attachments;
    this.limit = limit;
    this.clock = clock;
    this.deadline = Deadline.after(limit, clock);
  }

  public Call<R> call() {
    return call;
  }

  public CallOptions options() {
    return call.options();
  }

  public FunctionName function() {
    return call.function();
  }

  public Target target() {
    return target;
  }

  /// Returns the call's attachments.
  public SentAttachments attachments() {
    return attachments;
  }

  /// Returns the call's event, or null if no recording is active.
  public @Nullable CallEvent event() {
    return event;
  }

  /// Sets the call's event, if any.
  public void event(@Nullable CallEvent begun) {
    event = begun;
  }

  /// Returns how the call was made: the name of a method of [dev.tensorbus.rpc.Calls].
  public String mode() {
    return target.result() != null ? "remote" : waiter != null ? "rpcSync" : "rpcAsync";
  }

  /// Returns the remote call whose method made this call, or null.
  public @Nullable CallContext within() {
    return within;
  }

  /// Records that this thread waits for the call.
  public void awaitedHere() {
    waiter = Thread.currentThread();
  }

  /// Returns the thread that waits for the call, or null if none is known.
  public @Nullable Thread waiter() {
    return waiter;
  }

  public Duration limit() {
    return limit;
  }

  /// Returns the time until the deadline, in nanoseconds.
  public long remaining() {
    return deadline.nanosLeft();
  }

  /// Returns the nanoseconds since the call was made.
  public long elapsed() {
    return limit.toNanos() - remaining();
  }

  /// Returns the error of a timeout.
  public RpcTimeoutException timedOut() {
    return new RpcTimeoutException(to().info().name(), function().toString(), limit);
  }

  /// Returns the error of a timeout during the lookup of the callee.
  RpcTimeoutException notFound() {
    return RpcTimeoutException.notFound(target.worker(), function().toString(), limit);
  }

  /// Returns the promise that completes when the call ends, with the answer or an error.
  public Promise<Frame> answer() {
    return answer;
  }

  /// Returns the callee, which must have been found.
  public Sender to() {
    return Objects.requireNonNull(to);
  }

  /// Returns the cluster node on which the callee runs.
  public String node() {
    return node;
  }

  /// Sets the callee and its node.
  public void to(Sender life, String itsNode) {
    to = life;
    node = itsNode;
  }

  /// Returns the call's number among this worker's calls to the callee, counted from 1; 0 before
  /// the call is registered.
  public long number() {
    return number;
  }

  /// Returns the lowest number among the calls to the callee, including this one, that were pending
  /// when this call was registered.
  public long firstIncomplete() {
    return firstIncomplete;
  }

  void number(long given, long leastThatWaits) {
    number = given;
    firstIncomplete = leastThatWaits;
  }

  /// Sets the future that was returned to the caller.
  public void show(Future<?> future) {
    shown = future;
  }

  public boolean isShownBy(Future<?> future) {
    return future.equals(shown);
  }

  public void request(Request made) {
    request = made;
  }

  /// Returns the request as a frame, with the current remaining time.
  public Frame frame() {
    return Objects.requireNonNull(request).toFrame(remaining());
  }

  /// Sets the head of the answer that ends the call.
  public void answered(Response.Head head) {
    answered = head;
  }

  /// Returns the head of the answer that ended the call.
  public Response.Head answered() {
    return Objects.requireNonNull(answered);
  }

  /// Records that the callee has acknowledged the call.
  public void acknowledge() {
    isAcknowledged = true;
  }

  /// Returns whether the callee has acknowledged the call, so that it need not be repeated.
  public boolean isAcknowledged() {
    return isAcknowledged;
  }

  /// Counts a repetition of the request. Called only on the clock's thread.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void repeated() {
    repeats++;
  }

  /// Returns how often the request was repeated.
  public int repeats() {
    return repeats;
  }

  /// Records a failed delivery. Returns the nanoseconds since the first failure after the last
  /// success.
  public synchronized long undelivered() {
    long now = clock.nanoTime();
    if (undeliveredSince == 0) {
      undeliveredSince = now;
    }
    return now - undeliveredSince;
  }

  public synchronized void delivered() {
    undeliveredSince = 0;
  }
}
