// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.RendezvousException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A worker of a world. Opens its [Rpc] when it is deployed, runs its work on a virtual thread once
/// the world is complete, and ends with the world or when it is undeployed. The base class has no
/// work and only answers the calls of other workers.
public class RpcWorker extends VerticleBase {
  private final Role role;
  private final WorkerOptions options;
  private final Promise<Void> finished = Promise.promise();
  private final Set<WorkerInfo> missed = ConcurrentHashMap.newKeySet();
  private @Nullable Rpc rpc;
  private final List<WorkerExtension> extensions = new CopyOnWriteArrayList<>();

  /// Creates a worker with these settings.
  public RpcWorker(Role role, WorkerOptions options) {
    this.role = role;
    this.options = options;
  }

  /// Adds an extension. Must be called before this worker is deployed, or in [#serve].
  public final void attach(WorkerExtension extension) {
    extensions.add(extension);
  }

  /// Joins the world. Completes once this worker answers calls, possibly before other workers join.
  @Override
  public final Future<?> start() {
    return open().compose(this::opened);
  }

  private Future<Rpc> open() {
    int given = options.rank().orElse(-1);
    return given >= 0 ? open(given) : openAt(Ranks.of(options).first(role));
  }

  private Future<Rpc> open(int rank) {
    RpcOptions rpcOptions =
        RpcOptions.worldSize(options.worldSize())
            .withRank(rank)
            .withProgram(options.program())
            .withTimeout(options.timeout())
            .withRendezvousTimeout(options.rendezvousTimeout())
            .withHeartbeatTimeout(options.heartbeatTimeout())
            .withIdleStrategy(options.idleStrategy())
            .withPorts(options.ports());
    return Rpc.open(vertx, Ranks.of(options).nameOf(role, rank), adapted(rpcOptions));
  }

  /// Adapts the options of this worker's [Rpc]. The default returns them unchanged.
  protected RpcOptions adapted(RpcOptions standard) {
    return standard;
  }

  /// Opens the [Rpc] at this rank or, if the rank is taken, at the next free one.
  private Future<Rpc> openAt(int rank) {
    return open(rank)
        .recover(
            error -> {
              boolean isTaken = error instanceof RendezvousException;
              boolean isLast = rank == Ranks.of(options).last(role);
              return isTaken && !isLast ? openAt(rank + 1) : Future.failedFuture(error);
            });
  }

  private Future<?> opened(Rpc opened) {
    rpc = opened;
    opened.onWorkerLost(this::miss);
    opened.onWorkerJoined(missed::remove); // a restarted worker redoes its work
    serve(opened);
    return startExtensions(opened)
        .onSuccess(v -> Threads.system().start(opened.self().name(), () -> run(opened)))
        .recover(error -> stop().transform(_ -> Future.failedFuture(error)));
  }

  private Future<?> startExtensions(Rpc opened) {
    return Future.all(extensions.stream().map(extension -> extension.start(opened)).toList());
  }

  private Future<?> stopExtensions() {
    return Future.join(extensions.stream().map(WorkerExtension::stop).toList());
  }

  private void run(Rpc opened) {
    try {
      complete(opened).await();
      work(opened);
      opened.close(); // blocks; extensions serve until the world ends
      stopExtensions().await();
      requireNobodyMissed();
      finished.tryComplete();
    } catch (RuntimeException | Error e) {
      finished.tryFail(e);
    }
  }

  private void miss(WorkerInfo lost) {
    if (needs(lost)) {
      missed.add(lost);
    }
  }

  private void requireNobodyMissed() {
    if (!missed.isEmpty()) {
      String lost = missed.iterator().next().name();
      throw new IllegalStateException(
          lost + " was lost before the training finished; restart the whole world");
    }
  }

  /// Returns whether this worker cannot finish without the given one. By default, only rank 0 is
  /// needed.
  protected boolean needs(WorkerInfo other) {
    return other.id() == 0;
  }

  /// Returns a future that completes when this worker's work may begin: by default, when all
  /// workers of the world have joined.
  protected Future<?> complete(Rpc rpc) {
    return rpc.ready();
  }

  /// Prepares the objects that others may call as soon as this worker has joined. Must not block.
  protected void serve(Rpc rpc) {}

  /// Does this worker's work, on a virtual thread, once the world is complete.
  protected void work(Rpc rpc) {}

  /// Returns a future that completes when all workers are done: no one will call this worker again,
  /// and its process may end. The future fails, with a message for the user, if the work fails or a
  /// needed worker is lost.
  public final Future<Void> finished() {
    return finished.future();
  }

  /// Stops the extensions and leaves the world without waiting for other workers.
  @Override
  public final Future<?> stop() {
    return stopExtensions().eventually(() -> rpc == null ? Future.succeededFuture() : rpc.leave());
  }
}
