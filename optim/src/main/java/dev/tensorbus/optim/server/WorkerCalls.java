// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.ParameterServer.NotStartedException;
import dev.tensorbus.optim.server.client.ServerCalls;
import dev.tensorbus.optim.server.replica.ConsistencyAnswer;
import dev.tensorbus.optim.server.replica.ConsistencyRequest;
import dev.tensorbus.optim.server.replica.JoinAnswer;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.RestoreRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.StateAnswer;
import dev.tensorbus.optim.server.replica.StateRequest;
import dev.tensorbus.optim.server.replica.TrainersAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerBusyException;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/// How a worker reaches the parameter servers of its world.
final class WorkerCalls implements ServerCalls {
  private final Rpc rpc;
  private final Platform platform;
  private final List<String> servers;
  private final Calls unlimited;

  /// @param servers the names of the workers that were servers at first
  WorkerCalls(Rpc rpc, Platform platform, List<String> servers) {
    this.rpc = rpc;
    this.platform = platform;
    this.servers = servers;
    this.unlimited = rpc.with(CallOptions.DEFAULT.withoutTimeout());
  }

  @Override
  public Future<JoinAnswer> join(Life server, JoinRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::join, request);
  }

  @Override
  public Future<SlotAnswer> push(Life server, PushRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::push, request);
  }

  @Override
  public Future<PullAnswer> pull(Life server, PullRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::pull, request);
  }

  @Override
  public Future<StateAnswer> state(Life server, StateRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::state, request);
  }

  @Override
  public Future<TrainersAnswer> trainers(Life server, StateRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::trainers, request);
  }

  @Override
  public Future<SlotAnswer> restore(Life server, RestoreRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::restore, request);
  }

  @Override
  public Future<ConsistencyAnswer> change(Life server, ConsistencyRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::changeConsistency, request);
  }

  @Override
  public Future<SlotAnswer> leave(Life server, LeaveRequest request) {
    return unlimited.rpcAsync(server.worker(), ParameterServer::leave, request);
  }

  @Override
  public Future<SlotMap> map(int turn, SlotMap known) {
    List<String> members = known.servers().stream().map(Life::worker).toList();
    List<String> names = members.isEmpty() || turn % 2 == 0 ? servers : members;
    List<String> present = names.stream().filter(this::isPresent).toList();
    return present.isEmpty()
        ? Future.failedFuture("no parameter server is in the world")
        : rpc.rpcAsync(
                present.get(turn / 2 % present.size()), ParameterServer::nextMap, known.epoch())
            .map(answer -> answer.map() == null ? known : answer.map());
  }

  private boolean isPresent(String name) {
    return rpc.workers().stream().anyMatch(worker -> worker.name().equals(name));
  }

  @Override
  public boolean isTransient(Throwable error) {
    return error instanceof NoSuchWorkerException
        || error instanceof RpcTimeoutException
        || error instanceof WorkerBusyException
        || isOfStartingServer(error);
  }

  /// Returns whether the called worker has yet to start its server. Until the servers agree that a
  /// former life of it is over, calls to that reach the new one, which has the same name.
  private static boolean isOfStartingServer(Throwable error) {
    return error instanceof RemoteException remote
        && remote.remoteType().equals(NotStartedException.class.getName());
  }

  @Override
  public long nanoTime() {
    return platform.clock().nanoTime();
  }

  @Override
  public void after(Duration time, Runnable action) {
    platform
        .clock()
        .after(
            time.toNanos(), () -> platform.threads().start("store-" + rpc.self().name(), action));
  }
}
