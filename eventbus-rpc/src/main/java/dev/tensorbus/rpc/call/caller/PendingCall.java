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

/// One call on its way out. Holds the call, and so its arguments: references among them stay
/// alive until it ends.
///
/// @param <R> the result
public final class PendingCall<R> {
  private final Call<R> call;
  private final Target target;
  private final SentAttachments attachments;
  private final Duration limit;
  private final NanoClock clock;
  private final Deadline deadline;
  private final Promise<Frame> answer = Promise.promise();

  /// The call whose method makes this one, if one does.
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

  /// A call that has yet to be sent.
  ///
  /// @param attachments what travels with it
  /// @param limit how long the call may take
  /// @param clock decides when that time is over
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

  /// What travels with it.
  public SentAttachments attachments() {
    return attachments;
  }

  /// Its event, or null if nobody records.
  public @Nullable CallEvent event() {
    return event;
  }

  /// Notes the event that it has, if any.
  public void event(@Nullable CallEvent begun) {
    event = begun;
  }

  /// How it was made, as the methods of [dev.tensorbus.rpc.Calls] are called.
  public String mode() {
    return target.result() != null ? "remote" : waiter != null ? "rpcSync" : "rpcAsync";
  }

  /// The call whose method has made this one, or null if none has.
  public @Nullable CallContext within() {
    return within;
  }

  /// Notes that this thread waits for it.
  public void awaitedHere() {
    waiter = Thread.currentThread();
  }

  /// The thread that waits for it, or null if none is known to.
  public @Nullable Thread waiter() {
    return waiter;
  }

  public Duration limit() {
    return limit;
  }

  /// The nanoseconds that are left.
  public long remaining() {
    return deadline.nanosLeft();
  }

  /// The nanoseconds that it has taken so far.
  public long elapsed() {
    return limit.toNanos() - remaining();
  }

  /// The error when its time is up.
  public RpcTimeoutException timedOut() {
    return new RpcTimeoutException(to().info().name(), function().toString(), limit);
  }

  /// The error when its time is up before its worker is found.
  RpcTimeoutException notFound() {
    return RpcTimeoutException.notFound(target.worker(), function().toString(), limit);
  }

  /// Completed when the call ends, with the answer or an error.
  public Promise<Frame> answer() {
    return answer;
  }

  /// The worker that it goes to, once it is found.
  public Sender to() {
    return Objects.requireNonNull(to);
  }

  /// The cluster node on which that worker lives.
  public String node() {
    return node;
  }

  /// Notes the worker that it goes to, and where that lives.
  public void to(Sender life, String itsNode) {
    to = life;
    node = itsNode;
  }

  /// Its number among this worker's calls to that worker, once it is noted; from 1.
  public long number() {
    return number;
  }

  /// The least number of these that waited when it was noted.
  public long firstIncomplete() {
    return firstIncomplete;
  }

  void number(long given, long leastThatWaits) {
    number = given;
    firstIncomplete = leastThatWaits;
  }

  /// Notes the future that the caller was given.
  public void show(Future<?> future) {
    shown = future;
  }

  public boolean isShownBy(Future<?> future) {
    return future.equals(shown);
  }

  public void request(Request made) {
    request = made;
  }

  /// The message, for the time that is left now.
  public Frame frame() {
    return Objects.requireNonNull(request).toFrame(remaining());
  }

  /// Notes the beginning of the answer that is to end it.
  public void answered(Response.Head head) {
    answered = head;
  }

  /// The beginning of its answer.
  public Response.Head answered() {
    return Objects.requireNonNull(answered);
  }

  /// Notes that the worker has it, as that said.
  public void acknowledge() {
    isAcknowledged = true;
  }

  /// Whether the worker has it, so that it need not be sent again.
  public boolean isAcknowledged() {
    return isAcknowledged;
  }

  /// Notes that it is sent again. The clock's thread alone does so.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void repeated() {
    repeats++;
  }

  /// How often it was sent again.
  public int repeats() {
    return repeats;
  }

  /// Notes that it could not be delivered; for how many nanoseconds that has been so.
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
