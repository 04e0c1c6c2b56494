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

/// One worker of a world, and its way to call the others: see [Calls]. After
/// `torch.distributed.rpc`.
public interface Rpc extends Calls, AutoCloseable {
  /// Joins a world and waits until every worker is there. Not for event loops: see [#open].
  ///
  /// @throws RendezvousException if the name or rank is taken, or a worker does not come in time
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

  /// Joins the world that this process was started for, works there as one worker, and shuts down.
  /// The launcher said by the environment variables `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and
  /// `MASTER_PORT` which worker this is: `tensorbus run` does, and so does torchrun. Workers are
  /// called `worker0`, `worker1` and so on. If the work throws, this worker leaves at once, so that
  /// the others hear of it. Not for event loops.
  ///
  /// @param work begins when every worker is there
  /// @throws RendezvousException if a variable is missing, or a worker does not come in time
  static void run(Consumer<Rpc> work) {
    RpcOptions options = RpcOptions.fromEnvironment();
    run("worker" + options.rank(), options, work);
  }

  /// The same under this name.
  ///
  /// @param options [RpcOptions#fromEnvironment], changed at will
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

  /// Joins a world; done when this worker answers calls. The others may still be missing: see
  /// [#ready].
  static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return WorkerAssembly.open(vertx, name, options);
  }

  /// The status of all workers of the world that this Vertx is a node of, within this time. The
  /// Vertx needs no worker of its own: [Cluster#visit] makes one. A worker answers on its event
  /// loop, so also while all its threads wait. One that does not answer is named.
  ///
  /// The future fails if the cluster does not answer in time.
  static Future<WorldStatus> worldStatus(Vertx vertx, Duration limit) {
    return StatusRequests.ask(vertx, limit);
  }

  /// The worker on which the present remote call runs.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static Rpc current() {
    return CallContext.current().rpc();
  }

  /// The worker that made the present remote call.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static WorkerInfo caller() {
    return CallContext.current().caller();
  }

  /// When the caller of the present remote call stops waiting. Calls made from here end by then.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static Instant deadline() {
    return CallContext.current().deadline();
  }

  /// Whether the caller of the present remote call has given it up: its time is over, it was
  /// cancelled, or the caller has left. The thread that runs the method is interrupted then.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static boolean isCancelled() {
    return CallContext.current().isCancelled();
  }

  /// Has whatever thread runs a task belong to what this thread belongs to: the remote call that it
  /// runs, with its deadline and [#current]; the autograd context; the [span][#span];
  /// [dev.tensorbus.autograd.NoGrad] and [dev.tensorbus.nn.Evaluation]. For executors and threads
  /// of one's own, which know none of these. After `Context.wrap` of OpenTelemetry.
  static Runnable wrap(Runnable task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.run(task);
  }

  /// The same for what gives a result: `executor.submit(Rpc.wrap(() -> …))`.
  static <R> Callable<R> wrap(Callable<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.callThrowing(task);
  }

  /// The same for `CompletableFuture.supplyAsync`.
  static <R> Supplier<R> wrapSupplier(Supplier<R> task) {
    ContextSnapshot here = ContextSnapshot.here();
    return () -> here.call(task);
  }

  /// This worker.
  WorkerInfo self();

  /// The workers that are known now, by rank.
  List<WorkerInfo> workers();

  /// The worker of this name.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(String name);

  /// The worker of this rank.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(int rank);

  /// The worker of this name, as soon as it is there; fails with [RpcTimeoutException] if it does
  /// not come in time.
  Future<WorkerInfo> awaitWorker(String name, Duration limit);

  /// Done when every worker of the world is there; fails with [RendezvousException] if one does
  /// not come in time, naming who is there and who is not.
  Future<Void> ready();

  /// Tells of each worker that joins from now on, under the conditions of [#onWorkerLost].
  void onWorkerJoined(Consumer<WorkerInfo> listener);

  /// Tells of each worker that leaves before the end, died or closed. `listener` runs on an event
  /// loop or a thread of the cluster and must not block. If it throws, that is logged, and all
  /// others are told.
  void onWorkerLost(Consumer<WorkerInfo> listener);

  /// Tells of each call that this worker has made or served, when it ends; not of Tensorbus's own,
  /// nor of one that is given up before it runs here. For metrics. `listener` runs on the thread
  /// that ends the call, so it must be fast and must not block. If it throws, that is logged.
  void onCallEnded(Consumer<EndedCall> listener);

  /// Runs `body` on this thread as a span of its own: the calls that it makes, its backward passes
  /// and its steps are below it in the trace. Without tracing it only runs `body`. Not for event
  /// loops if `body` waits.
  ///
  /// @param name the name of the span, the same for all work of its kind
  <R> R span(String name, Supplier<R> body);

  /// The object that all remote calls on this worker share, made by the first who asks: what a
  /// static singleton would be in a process with one worker only.
  <T> T shared(Class<T> type, Supplier<T> first);

  /// A reference to a value that this worker owns. After `torch.distributed.rpc.RRef(value)`.
  <T> RRef<T> rref(T value);

  /// A block that ends when its calls have ended, and that closes the references made in it.
  CallScope scope();

  /// Brings a value for every worker of the world, waits, and gets everyone's, by name, when all
  /// have come. Not for event loops. After torch's `_all_gather`.
  ///
  /// All workers call it equally often; the n-th call of one meets the n-th of each other. It
  /// ends in one way for all: if somebody has left it fails with [NoSuchWorkerException], if
  /// somebody does not come in time with [RpcTimeoutException], naming who. In a dynamic group
  /// everybody must know the same workers; better name them.
  <T> Map<String, T> allGather(T value);

  /// The same among these workers, of which this is one.
  <T> Map<String, T> allGather(Collection<String> names, T value);

  /// The same within this time instead of that of a call.
  <T> Map<String, T> allGather(Collection<String> names, T value, Duration limit);

  /// As [#allGather], without waiting.
  <T> Future<Map<String, T>> allGatherAsync(T value);

  /// The same among these workers, of which this is one.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value);

  /// The same within this time instead of that of a call.
  <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value, Duration limit);

  /// Brings tensors, waits, and gets, for each place, the sum of what these workers bring there;
  /// null brings nothing, and is what all get where nobody brings something. Sparse tensors stay
  /// sparse. All get equal bits. Meets and fails as [#allGather] does; one message to the worker
  /// of the lowest rank and one back. Not for event loops. After torch's `all_reduce`.
  ///
  /// @throws IllegalArgumentException on all workers, if the numbers, shapes or types of the
  ///     tensors differ
  List<@Nullable Tensor> allReduce(Collection<String> names, List<@Nullable Tensor> tensors);

  /// As [#allReduce], without waiting.
  Future<List<@Nullable Tensor>> allReduceAsync(
      Collection<String> names, List<@Nullable Tensor> tensors);

  /// Waits until every worker of the world has come here; fails as [#allGather] does. Not for event
  /// loops. After torch's `_barrier`.
  void barrier();

  /// The same among these workers, of which this is one.
  void barrier(Collection<String> names);

  /// The same within this time instead of that of a call.
  void barrier(Collection<String> names, Duration limit);

  /// As [#barrier], without waiting.
  Future<Void> barrierAsync();

  /// The same among these workers, of which this is one.
  Future<Void> barrierAsync(Collection<String> names);

  /// The same within this time instead of that of a call.
  Future<Void> barrierAsync(Collection<String> names, Duration limit);

  /// Waits for the answers of several calls, and gives their results in this order; like `rpcSync`
  /// it looks out for them before it sleeps, where that pays. The calls should [continue on an
  /// event loop][CallOptions#continuingOn]: no thread is woken for it then. Not for event loops.
  /// After `torch.futures.wait_all`.
  ///
  /// @throws RpcException if one of the calls fails, the first that does
  <R> List<R> waitAll(List<Future<R>> answers);

  /// Gives up a call that has not ended: its future fails with
  /// [java.util.concurrent.CancellationException], and the other worker is told. Whether there
  /// was one.
  ///
  /// @param call what `rpcAsync` returned, not a future made from it
  boolean cancel(Future<?> call);

  /// Counts the objects that this worker holds for others now, by name, for people and tests:
  ///
  /// - `rpc.pending_calls`: calls that it has sent and nobody has answered;
  /// - `rpc.served_calls`: calls of others that it runs, those of Tensorbus itself not counted;
  /// - `rpc.waiting_calls`: calls of others that wait until it runs fewer;
  /// - `rref.owned`: objects of its own that references point at;
  /// - `rref.forks`: how many references point at them;
  /// - `rref.held`: references that it holds of what others own;
  /// - `rref.unconfirmed`: references that it has sent and nobody has confirmed;
  /// - `autograd.contexts`: distributed autograd contexts of which it has a part;
  /// - `autograd.passes`: backward passes of these that run;
  /// - `autograd.sends`: messages of these with tensors whose gradients are to come back;
  /// - `autograd.receives`: messages of these with tensors whose gradients are to go back;
  /// - `lane.shared_memory`: workers to whom large tensors go through shared memory;
  /// - `lane.socket`: workers to whom they go through a connection of their own;
  /// - `lane.bus`: workers to whom they go in messages, since they cannot;
  /// - `lane.transfers`: messages whose tensors are on their way beside them.
  Map<String, Long> debugInfo();

  /// Counts the bytes that this worker has sent since it was opened, by way:
  ///
  /// - `bus`: messages on the event bus, Tensorbus's own and those to itself included;
  /// - `lane`: tensors beside it, through shared memory or a connection of their own.
  Map<String, Long> sentBytes();

  /// The state of this worker now, with the calls that it waits for and those that it serves, each
  /// with its thread. Any thread; does not block. [#worldStatus] asks all workers.
  WorkerStatus status();

  /// Ends this worker's part: waits until no worker of the world has anything left to do, then
  /// leaves. A worker that has died is not waited for. After `torch.distributed.rpc.shutdown`.
  /// In a dynamic group it waits for its own calls only.
  ///
  /// References that this worker still holds end with it; [RpcOptions#withLeakCheck] tells of
  /// them.
  Future<Void> shutdown();

  /// The same for this long at most; then it leaves all the same, and the future fails with
  /// [RpcTimeoutException], naming who was not at its end.
  Future<Void> shutdown(Duration limit);

  /// Leaves at once; calls that wait fail.
  Future<Void> leave();

  /// Waits for [#shutdown]. Not for event loops.
  @Override
  default void close() {
    shutdown().await();
  }
}
