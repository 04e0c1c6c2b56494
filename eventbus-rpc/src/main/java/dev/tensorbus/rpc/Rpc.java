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
  /// Joins a world and waits until every worker has joined. Not for event loops: see [#open].
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

  /// Joins the world that this process was started for, runs the work as one worker, and shuts
  /// down. The environment variables `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT` say
  /// which worker this is: `tensorbus run` sets them, and so does torchrun. Workers are named
  /// `worker0`, `worker1` and so on. If the work throws, this worker leaves at once, so that the
  /// others are notified. Not for event loops.
  ///
  /// @param work starts when every worker has joined
  /// @throws RendezvousException if a variable is missing, or a worker does not join in time
  static void run(Consumer<Rpc> work) {
    RpcOptions options = RpcOptions.fromEnvironment();
    run("worker" + options.rank(), options, work);
  }

  /// Joins and runs like [#run(Consumer)], under the given name.
  ///
  /// @param options [RpcOptions#fromEnvironment], with any changes
  static void run(String name, RpcOptions options, Consumer<Rpc> work) {
    Vertx vertx = WorkerEnvironment.read().cluster(options).start();
    try {
      Rpc rpc = init(vertx, name, options);
      try {
        work.accept(rpc);
      } catch (RuntimeException | Error e) {
        rpc.leave().await();
        throw e;
      }
      rpc.close();
    } finally {
      vertx.close().await();
    }
  }

  /// Joins a world; the future completes when this worker answers calls. Other workers may still be
  /// missing: see [#ready].
  static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return WorkerAssembly.open(vertx, name, options);
  }

  /// Requests the status of all workers of the world of which this Vertx is a node, within the
  /// given time. The Vertx needs no worker: [Cluster#visit] creates one without. Workers answer on
  /// their event loops, even while all their threads wait. A worker that does not answer is listed
  /// by name.
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

  /// Returns a task that runs in this thread's context on whichever thread runs it: within the
  /// current remote call, with its deadline and [#current]; the autograd context; the
  /// [span][#span]; [dev.tensorbus.autograd.NoGrad] and [dev.tensorbus.nn.Evaluation]. For your own
  /// executors and threads, which do not inherit these. After `Context.wrap` of OpenTelemetry.
  static Runnable wrap(Runnable task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.run(task);
  }

  /// Wraps a task that returns a result: `executor.submit(Rpc.wrap(() -> …))`.
  static <R> Callable<R> wrap(Callable<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.callThrowing(task);
  }

  /// Wraps a supplier, for `CompletableFuture.supplyAsync`.
  static <R> Supplier<R> wrapSupplier(Supplier<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.call(task);
  }

  /// Returns this worker.
  WorkerInfo self();

  /// Returns the workers known at present, by rank.
  List<WorkerInfo> workers();

  /// Returns the worker with this name.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(String name);

  /// Returns the worker with this rank.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(int rank);

  /// Returns a future of the worker with this name, which completes when it has joined and fails
  /// with [RpcTimeoutException] if it does not join in time.
  Future<WorkerInfo> awaitWorker(String name, Duration limit);

  /// Returns a future that completes when every worker of the world has joined. It fails with
  /// [RendezvousException] if one does not join in time, naming the present and the missing ones.
  Future<Void> ready();

  /// Notifies the listener of each worker that joins from now on, under the conditions of
  /// [#onWorkerLost].
  void onWorkerJoined(Consumer<WorkerInfo> listener);

  /// Notifies the listener of each worker that leaves before the end, dead or closed. `listener`
  /// runs on an event loop or a thread of the cluster and must not block. If it throws, the
  /// exception is logged and the other listeners are still notified.
  void onWorkerLost(Consumer<WorkerInfo> listener);

  /// Notifies the listener of the end of each call that this worker made or served, except
  /// Tensorbus's own and those that were cancelled before they ran here. For metrics. `listener`
  /// runs on the thread that ends the call, so it must be fast and must not block. If it throws,
  /// the exception is logged.
  void onCallEnded(Consumer<EndedCall> listener);

  /// Runs `body` on this thread as a span: its calls, backward passes and optimizer steps are
  /// children of the span in the trace. Without tracing, only runs `body`. Not for event loops if
  /// `body` waits.
  ///
  /// @param name the name of the span, the same for all work of its kind
  <R> R span(String name, Supplier<R> body);

  /// Returns the object of this type that all remote calls on this worker share, created by the
  /// first caller: the counterpart of a static singleton in a process with several workers.
  <T> T shared(Class<T> type, Supplier<T> first);

  /// Creates a reference to a value that this worker owns. Like
  /// `torch.distributed.rpc.RRef(value)`.
  <T> RRef<T> rref(T value);

  /// Opens a block that ends when its calls have ended, and that closes the references created in
  /// it.
  CallScope scope();

  /// Contributes a value, waits until every worker of the world has contributed one, and returns
  /// all of them by worker name. Not for event loops. Like torch's `_all_gather`.
  ///
  /// All workers must make the same sequence of calls: the n-th call of each worker belongs to the
  /// same round. All members of a round have the same outcome: it fails with
  /// [NoSuchWorkerException] if a worker has left, and with [RpcTimeoutException], naming the
  /// missing, if one does not come in time. In a dynamic group all must know the same workers;
  /// better list the names.
  <T> Map<String, T> allGather(T value);

  /// Gathers from the named workers, which include this one.
  <T> Map<String, T> allGather(Collection<String> names, T value);

  /// Gathers from the named workers, with another timeout.
  <T> Map<String, T> allGather(Collection<String> names, T value, Duration limit);

  /// Gathers like [#allGather], without waiting.
  <T> Future<Map<String, T>> allGatherAsync(T value);

  /// Gathers from the named workers, which include this one, without waiting.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value);

  /// Gathers from the named workers, with another timeout and without waiting.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value, Duration limit);

  /// Sums the tensors of the named workers, which include this one, index by index, and returns the
  /// sums to all of them. A null adds nothing; the sum is null if all are null. Sparse tensors stay
  /// sparse. All workers get identical bits. Matches calls and fails as [#allGather] does. Costs
  /// one message to the worker of the lowest rank and one back. Not for event loops. Like torch's
  /// `all_reduce`.
  ///
  /// @throws IllegalArgumentException on all workers, if the numbers, shapes or types of the
  ///     tensors differ
  List<@Nullable Tensor> allReduce(Collection<String> names, List<@Nullable Tensor> tensors);

  /// Sums like [#allReduce], without waiting.
  Future<List<@Nullable Tensor>> allReduceAsync(
      Collection<String> names, List<@Nullable Tensor> tensors);

  /// Waits until every worker of the world has called this method; fails as [#allGather] does. Not
  /// for event loops. Like torch's `_barrier`.
  void barrier();

  /// Waits for the named workers, which include this one.
  void barrier(Collection<String> names);

  /// Waits for the named workers, with another timeout.
  void barrier(Collection<String> names, Duration limit);

  /// Returns a future that completes when every worker has called this method or [#barrier].
  Future<Void> barrierAsync();

  /// Returns such a future for the named workers, which include this one.
  Future<Void> barrierAsync(Collection<String> names);

  /// Returns such a future for the named workers, with another timeout.
  Future<Void> barrierAsync(Collection<String> names, Duration limit);

  /// Waits for several calls and returns their results in the given order; like `rpcSync` it spins
  /// before it parks, if that pays off. The calls should [continue on an event
  /// loop][CallOptions#continuingOn], so that no thread is woken for each. Not for event loops.
  /// Like `torch.futures.wait_all`.
  ///
  /// @throws RpcException if a call fails, that of the first one to fail
  <R> List<R> waitAll(List<Future<R>> answers);

  /// Cancels a call that has not ended: its future fails with
  /// [java.util.concurrent.CancellationException], and the callee is notified. Returns whether the
  /// call was still pending.
  ///
  /// @param call the future that `rpcAsync` returned, not one derived from it
  boolean cancel(Future<?> call);

  /// Returns the number of objects that this worker holds now for others, by name, for people and
  /// tests:
  ///
  /// - `rpc.pending_calls`: calls sent and not yet answered;
  /// - `rpc.served_calls`: calls of others that it runs, not counting Tensorbus's own;
  /// - `rpc.waiting_calls`: calls of others that are queued until it runs fewer;
  /// - `rref.owned`: its own objects to which references exist;
  /// - `rref.forks`: the number of references to these objects;
  /// - `rref.held`: its references to objects of other workers;
  /// - `rref.unconfirmed`: references that it has sent and that are not confirmed yet;
  /// - `autograd.contexts`: distributed autograd contexts in which it takes part;
  /// - `autograd.passes`: backward passes of these contexts that are running;
  /// - `autograd.sends`: messages of these contexts whose tensors will receive gradients;
  /// - `autograd.receives`: messages of these contexts whose gradients it will send back;
  /// - `lane.shared_memory`: workers to which large tensors go through shared memory;
  /// - `lane.socket`: workers to which they go through a dedicated connection;
  /// - `lane.bus`: workers to which they go in messages, since no lane is available;
  /// - `lane.transfers`: messages whose tensors are in transit on a lane.
  Map<String, Long> debugInfo();

  /// Returns the number of bytes that this worker has sent since it was opened, by route:
  ///
  /// - `bus`: messages on the event bus, including Tensorbus's own and those to itself;
  /// - `lane`: tensors beside it, through shared memory or a dedicated connection.
  Map<String, Long> sentBytes();

  /// Returns the current status of this worker, with its pending and served calls, each with its
  /// thread. Any thread; does not block. [#worldStatus] asks all workers.
  WorkerStatus status();

  /// Shuts this worker down: waits until no worker of the world has anything left to do, then
  /// leaves. Does not wait for workers that have died. Like `torch.distributed.rpc.shutdown`. In a
  /// dynamic group it waits only for its own calls.
  ///
  /// Closes the references that this worker still holds; [RpcOptions#withLeakCheck] reports them.
  Future<Void> shutdown();

  /// Shuts down with a timeout. When it expires, the worker leaves nevertheless, and the future
  /// fails with [RpcTimeoutException], naming the workers that were not done.
  Future<Void> shutdown(Duration limit);

  /// Leaves at once; pending calls fail.
  Future<Void> leave();

  /// Waits for [#shutdown]. Not for event loops.
  @Override
  default void close() {
    shutdown().await();
  }
}
