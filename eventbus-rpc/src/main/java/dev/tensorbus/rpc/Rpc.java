// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import dev.tensorbus.rpc.worker.ContextSnapshot;
import dev.tensorbus.rpc.worker.StatusRequests;
import dev.tensorbus.rpc.worker.WorkerAssembly;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One worker of a world, which makes calls to the others: see [Calls]. Like
/// `torch.distributed.rpc`.
public interface Rpc extends Calls, AutoCloseable {
  /// Joins a world and waits until every worker has joined. Must not be called on an event loop;
  /// use [#open] there.
  ///
  /// @throws RendezvousException if the name or rank is taken, or a worker does not join in time
  static Rpc init(Vertx vertx, String name, RpcOptions options) {
    Rpc rpc = open(vertx, name, options).await();
    try {
      rpc.ready().await();
      return rpc;
    } catch (RuntimeException e) {
      rpc.leave().await();
      throw e;
    }
  }

  /// Joins the world for which this process was started, runs `work` as one of its workers, shuts
  /// down and closes the Vertx that it has created, which [#vertx] returns. The environment
  /// variables `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT` say which worker this is.
  /// `tensorbus run` and torchrun set them. Workers are named `worker0`, `worker1` and so on. If
  /// `work` throws, this worker leaves at once, so that the others are notified. Must not be called
  /// on an event loop.
  ///
  /// @param work starts when every worker has joined
  /// @throws RendezvousException if a variable is missing, or a worker does not join in time
  static void run(Consumer<Rpc> work) {
    RpcOptions options = RpcOptions.fromEnvironment();
    run("worker" + options.rank(), options, work);
  }

  /// Joins a world under the given name and runs `work` as [#run(Consumer)] does.
  ///
  /// @param options the options of [RpcOptions#fromEnvironment], possibly changed
  static void run(String name, RpcOptions options, Consumer<Rpc> work) {
    Vertx vertx = WorkerEnvironment.read().cluster(options).start();
    try {
      Rpc rpc = open(vertx, name, options).await();
      WorkerExtensions extensions = WorkerExtensions.load();
      try {
        extensions.start(rpc);
        rpc.ready().await();
        work.accept(rpc);
      } catch (RuntimeException | Error e) {
        rpc.leave().await();
        extensions.abort();
        throw e;
      }
      rpc.close();
      extensions.stop();
    } finally {
      vertx.close().await();
    }
  }

  /// Joins a world. The future completes when this worker answers calls. Other workers may still be
  /// missing; see [#ready].
  static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return WorkerAssembly.open(vertx, name, options);
  }

  /// Requests the status of all workers of the world to which this Vertx belongs. The Vertx need
  /// not have a worker: [Cluster#visit] creates a Vertx without one. Workers answer on their event
  /// loops, even while all their other threads wait. The status lists the names of workers that do
  /// not answer in time.
  ///
  /// The future fails if the cluster does not answer in time.
  static Future<WorldStatus> worldStatus(Vertx vertx, Duration limit) {
    return StatusRequests.ask(vertx, limit);
  }

  /// Returns the worker on which the current remote call runs.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static Rpc current() {
    return CallContext.current().rpc();
  }

  /// Returns the worker that made the current remote call.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static WorkerInfo caller() {
    return CallContext.current().caller();
  }

  /// Returns the time at which the caller of the current remote call stops waiting. Calls made
  /// within the current call end by then.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static Instant deadline() {
    return CallContext.current().deadline();
  }

  /// Returns whether the current remote call was abandoned: it timed out, the caller cancelled it,
  /// or the caller has left. The thread that runs the method is interrupted as well.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static boolean isCancelled() {
    return CallContext.current().isCancelled();
  }

  /// Returns a task that runs `task` in the current context of this thread, whichever thread runs
  /// the returned task. The context consists of the current remote call with its deadline and
  /// [#current], the autograd context, the [span][#span], [dev.tensorbus.autograd.NoGrad] and
  /// [dev.tensorbus.nn.Evaluation]. Use it for your own executors and threads, which do not inherit
  /// the context. Like `Context.wrap` of OpenTelemetry.
  static Runnable wrap(Runnable task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.run(task);
  }

  /// Wraps a task that returns a result, as in `executor.submit(Rpc.wrap(() -> …))`.
  static <R> Callable<R> wrap(Callable<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.callThrowing(task);
  }

  /// Wraps a supplier, for example for `CompletableFuture.supplyAsync`.
  static <R> Supplier<R> wrapSupplier(Supplier<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.call(task);
  }

  /// Returns the Vertx with which this worker was opened, for example for servers and timers.
  ///
  /// The Vertx of [#run] has one event loop, on which the messages of other workers arrive too, so
  /// handlers must not block it. It is closed when `work` has ended and all workers are done.
  /// Otherwise the application that created the Vertx closes it; a worker that shuts down or leaves
  /// does not.
  Vertx vertx();

  /// Returns this worker.
  WorkerInfo self();

  /// Returns the number of workers of the complete world, whether or not they have joined; 0 for a
  /// dynamic group. Like `torch.distributed.get_world_size`.
  int worldSize();

  /// Returns the time after which other workers consider a silent one lost.
  Duration heartbeatTimeout();

  /// Returns the workers that are currently known, in order of rank.
  List<WorkerInfo> workers();

  /// Returns the worker with this name.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(String name);

  /// Returns the worker with this rank.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(int rank);

  /// Returns a future that completes with the worker of this name once that worker has joined. The
  /// future fails with [RpcTimeoutException] if the worker does not join in time.
  Future<WorkerInfo> awaitWorker(String name, Duration limit);

  /// Returns a future that completes when every worker of the world has joined. If a worker does
  /// not join in time, the future fails with a [RendezvousException] that names the present and the
  /// missing workers.
  Future<Void> ready();

  /// Adds a listener that is notified of each worker that joins from now on. The rules of
  /// [#onWorkerLost] apply.
  void onWorkerJoined(Consumer<WorkerInfo> listener);

  /// Adds a listener that is notified of each worker that dies or leaves before the end of the
  /// world. `listener` runs on an event loop or a thread of the cluster and must not block. If it
  /// throws, the exception is logged and the other listeners are still notified. A [#shutdown] ends
  /// only after the listeners have been notified of every loss.
  void onWorkerLost(Consumer<WorkerInfo> listener);

  /// Returns the progress of this worker's training, to which loops report their steps. A
  /// `Trainer` of copies or of a model on a server reports by itself.
  default Progress progress() {
    return shared(ProgressListeners.class, ProgressListeners::new);
  }

  /// Adds a listener of [#progress]. It is called on the thread that reports.
  default void onProgress(Progress listener) {
    shared(ProgressListeners.class, ProgressListeners::new).add(listener);
  }

  /// Adds a listener that is notified of the end of each call that this worker made or served, for
  /// example for metrics. Tensorbus's own calls, and calls that were cancelled before they ran
  /// here, are not reported. `listener` runs on the thread that ends the call, so it must be fast
  /// and must not block. If it throws, the exception is logged.
  void onCallEnded(Consumer<EndedCall> listener);

  /// Runs `body` on this thread as a span. The calls, backward passes and optimizer steps of `body`
  /// become children of the span. Without tracing, only runs `body`. Must not be called on an event
  /// loop if `body` waits.
  ///
  /// @param name the name of the span, the same for all work of one kind
  <R> R span(String name, Supplier<R> body);

  /// Returns this worker's shared object of the given type, creating it if there is none yet.
  /// Remote methods can use it in place of a static singleton, which all workers of a process would
  /// share.
  <T> T shared(Class<T> type, Supplier<T> first);

  /// Creates a reference to a value that this worker owns. Like
  /// `torch.distributed.rpc.RRef(value)`.
  <T> RRef<T> rref(T value);

  /// Opens a scope. Closing it waits for the calls made in it, and then closes the references
  /// created in it.
  CallScope scope();

  /// Contributes a value, waits until every worker of the world has contributed one, and returns
  /// all values by worker name. Must not be called on an event loop. Like torch's `_all_gather`.
  ///
  /// All workers must make the same sequence of calls: the n-th calls of all workers form one
  /// round. A round has the same outcome for all its members. It fails with [NoSuchWorkerException]
  /// if a worker has left, and with [RpcTimeoutException], which names the missing workers, if a
  /// worker does not call in time. In a dynamic group, all workers must know the same workers, so
  /// it is better to list the names.
  <T> Map<String, T> allGather(T value);

  /// Gathers values from the named workers, which must include this one.
  <T> Map<String, T> allGather(Collection<String> names, T value);

  /// Gathers values from the named workers, with another timeout.
  <T> Map<String, T> allGather(Collection<String> names, T value, Duration limit);

  /// Gathers values as [#allGather] does, without waiting.
  <T> Future<Map<String, T>> allGatherAsync(T value);

  /// Gathers values from the named workers, which must include this one, without waiting.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value);

  /// Gathers values from the named workers, with another timeout and without waiting.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value, Duration limit);

  /// Sums tensors index by index over the named workers, which must include this one, and returns
  /// the sums on all of them. A null counts as zero, but the sum is null if all tensors at an index
  /// are null. Sparse tensors stay sparse. All workers get identical bits. Forms rounds and fails
  /// as [#allGather] does. Costs one message to the worker with the lowest rank and one back. Must
  /// not be called on an event loop. Like torch's `all_reduce`.
  ///
  /// @throws IllegalArgumentException on all workers, if the workers' tensors differ in number,
  ///     shape or type
  List<@Nullable Tensor> allReduce(Collection<String> names, List<@Nullable Tensor> tensors);

  /// Sums tensors as [#allReduce] does, without waiting.
  Future<List<@Nullable Tensor>> allReduceAsync(
      Collection<String> names, List<@Nullable Tensor> tensors);

  /// Waits until every worker of the world has called this method. Fails as [#allGather] does. Must
  /// not be called on an event loop. Like torch's `_barrier`.
  void barrier();

  /// Waits until the named workers, which must include this one, have called this method.
  void barrier(Collection<String> names);

  /// Waits until the named workers have called this method, with another timeout.
  void barrier(Collection<String> names, Duration limit);

  /// Returns a future that completes when every worker has called this method or [#barrier].
  Future<Void> barrierAsync();

  /// Returns a future that completes when the named workers, which must include this one, have
  /// called this method or [#barrier].
  Future<Void> barrierAsync(Collection<String> names);

  /// Returns a future that completes when the named workers have called this method or [#barrier],
  /// with another timeout.
  Future<Void> barrierAsync(Collection<String> names, Duration limit);

  /// Waits for several calls and returns their results in the given order. Like `rpcSync`, spins
  /// before it parks if that pays off. The calls should [continue on an event
  /// loop][CallOptions#continuingOn], so that no thread is woken for each. Must not be called on an
  /// event loop. Like `torch.futures.wait_all`.
  ///
  /// @throws RpcException the error of the first call that fails
  <R> List<R> waitAll(List<Future<R>> answers);

  /// Cancels a call that has not ended: its future fails with
  /// [java.util.concurrent.CancellationException], and the callee is notified. Returns whether the
  /// call was still pending.
  ///
  /// @param call the future that `rpcAsync` returned, not one derived from it
  boolean cancel(Future<?> call);

  /// Returns current counts by name, for debugging and tests:
  ///
  /// - `rpc.pending_calls`: calls sent and not yet answered;
  /// - `rpc.served_calls`: running calls from other workers, excluding Tensorbus's own;
  /// - `rpc.waiting_calls`: queued calls from other workers;
  /// - `rref.owned`: objects of this worker to which references exist;
  /// - `rref.forks`: references to these objects;
  /// - `rref.held`: references of this worker to objects of other workers;
  /// - `rref.unconfirmed`: references that have been sent and are not confirmed yet;
  /// - `autograd.contexts`: distributed autograd contexts in which this worker takes part;
  /// - `autograd.passes`: running backward passes of these contexts;
  /// - `autograd.sends`: sent messages of these contexts whose tensors will receive gradients;
  /// - `autograd.receives`: received messages of these contexts whose gradients will be sent back;
  /// - `lane.shared_memory`: workers to which large tensors are sent through shared memory;
  /// - `lane.socket`: workers to which large tensors are sent over a dedicated connection;
  /// - `lane.bus`: workers to which large tensors are sent in messages, since no lane is available;
  /// - `lane.transfers`: messages whose tensors are in transit on a lane.
  Map<String, Long> debugInfo();

  /// Returns the number of bytes that this worker has sent since it was opened, by route:
  ///
  /// - `bus`: messages on the event bus, including Tensorbus's own and messages of this worker to
  ///   itself;
  /// - `lane`: tensors sent through shared memory or a dedicated connection.
  Map<String, Long> sentBytes();

  /// Returns the current status of this worker, including its pending and served calls and their
  /// threads. May be called on any thread and does not block. [#worldStatus] queries all workers.
  WorkerStatus status();

  /// Shuts this worker down: waits until no worker of the world has anything left to do, then
  /// leaves. Does not wait for workers that have died. Like `torch.distributed.rpc.shutdown`. In a
  /// dynamic group, waits only for this worker's own calls.
  ///
  /// Closes the references that this worker still holds; [RpcOptions#withLeakCheck] reports them.
  Future<Void> shutdown();

  /// Shuts down with a timeout. When the timeout expires, this worker leaves nevertheless, and the
  /// future fails with [RpcTimeoutException], which names the workers that were not done.
  Future<Void> shutdown(Duration limit);

  /// Leaves the world at once. Pending calls fail.
  Future<Void> leave();

  /// Calls [#shutdown] and waits for its end. Must not be called on an event loop.
  @Override
  default void close() {
    shutdown().await();
  }
}
