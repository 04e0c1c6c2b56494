// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.RendezvousException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.grpc.Door;
import dev.tensorbus.verticles.grpc.Exports;
import dev.tensorbus.verticles.grpc.WorkerState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A worker of a world: opens its [Rpc] when it is deployed, does its work on a virtual thread
/// once the world is complete, and ends with the whole world or when it is undeployed. By itself
/// it has no work: it answers the calls of others.
public class RpcWorker extends VerticleBase implements Worker {
  private final Role role;
  private final WorkerOptions options;
  private final Promise<Void> finished = Promise.promise();
  private @Nullable Rpc rpc;
  private volatile @Nullable Door door;

  /// A worker with these settings.
  public RpcWorker(Role role, WorkerOptions options) {
    this.role = role;
    this.options = options;
  }

  /// Ends when this worker answers calls; the others may come later.
  @Override
  public final Future<?> start() {
    return open().compose(this::opened);
  }

  private Future<Rpc> open() {
    int given = options.rank().orElse(-1);
    return given >= 0 ? open(given) : openAt(role.firstRank());
  }

  private Future<Rpc> open(int rank) {
    RpcOptions rpcOptions =
        RpcOptions.worldSize(options.worldSize())
            .withRank(rank)
            .withTimeout(options.timeout())
            .withRendezvousTimeout(options.timeout());
    return Rpc.open(vertx, role.nameOf(rank), adapted(rpcOptions));
  }

  /// What this worker changes of how workers take part. Nothing, by itself.
  protected RpcOptions adapted(RpcOptions standard) {
    return standard;
  }

  /// Takes the next rank that is free.
  private Future<Rpc> openAt(int rank) {
    return open(rank)
        .recover(
            error -> {
              boolean isTaken = error instanceof RendezvousException;
              boolean isLast = role.isFirst() || rank + 1 == options.worldSize();
              return isTaken && !isLast ? openAt(rank + 1) : Future.failedFuture(error);
            });
  }

  private Future<?> opened(Rpc opened) {
    rpc = opened;
    serve(opened);
    return openDoor(opened)
        .onSuccess(v -> Thread.ofVirtual().name(opened.self().name()).start(() -> run(opened)))
        .recover(error -> opened.leave().eventually(() -> Future.failedFuture(error)));
  }

  private Future<Void> openDoor(Rpc opened) {
    return DoorSettings.of(options)
        .map(settings -> Door.open(vertx, opened, settings, exports(opened)))
        .map(opening -> opening.onSuccess(own -> door = own).<Void>mapEmpty())
        .orElseGet(Future::succeededFuture);
  }

  private void run(Rpc opened) {
    try {
      opened.ready().await();
      work(opened);
      opened.close(); // the door is open to the end of the world
      closeDoor().await();
      finished.tryComplete();
    } catch (RuntimeException | Error e) {
      finished.tryFail(e);
    }
  }

  /// Prepares what others may call as soon as this worker is there. Must not block.
  protected void serve(Rpc rpc) {}

  /// What programs outside may reach if this worker opens a door to them.
  protected Exports exports(Rpc rpc) {
    return Exports.of(WorkerState.class);
  }

  /// The port of this worker's door, if it has one and is there.
  public final OptionalInt doorPort() {
    Door own = door;
    return own == null ? OptionalInt.empty() : OptionalInt.of(own.port());
  }

  private Future<Void> closeDoor() {
    Door own = door;
    return own == null ? Future.succeededFuture() : own.close();
  }

  /// Does this worker's own work, on a virtual thread, when the world is complete.
  protected void work(Rpc rpc) {}

  @Override
  public final Future<Void> finished() {
    return finished.future();
  }

  /// Leaves the world, at once.
  @Override
  public final Future<?> stop() {
    return closeDoor().eventually(() -> rpc == null ? Future.succeededFuture() : rpc.leave());
  }
}
