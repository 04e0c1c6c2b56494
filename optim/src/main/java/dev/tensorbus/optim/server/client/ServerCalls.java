// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

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
import io.vertx.core.Future;
import java.time.Duration;

/// How a [SlotClient] reaches the servers, and time. Each call arrives at most once.
public interface ServerCalls {
  /// Calls `SlotServer.join`.
  Future<JoinAnswer> join(Life server, JoinRequest request);

  /// Calls `SlotServer.push`.
  Future<SlotAnswer> push(Life server, PushRequest request);

  /// Calls `SlotServer.pull`.
  Future<PullAnswer> pull(Life server, PullRequest request);

  /// Calls `SlotServer.state`.
  Future<StateAnswer> state(Life server, StateRequest request);

  /// Calls `SlotServer.trainers`.
  Future<TrainersAnswer> trainers(Life server, StateRequest request);

  /// Calls `SlotServer.restore`.
  Future<SlotAnswer> restore(Life server, RestoreRequest request);

  /// Calls `SlotServer.change`.
  Future<ConsistencyAnswer> change(Life server, ConsistencyRequest request);

  /// Calls `SlotServer.leave`.
  Future<SlotAnswer> leave(Life server, LeaveRequest request);

  /// Asks any server for a newer map. The answer may wait briefly for one, and is otherwise the
  /// known map or an older one.
  ///
  /// @param turn the number of this request, by which the implementation chooses a server
  /// @param known the newest map that the caller knows
  Future<SlotMap> map(int turn, SlotMap known);

  /// Returns whether a call that has failed with this error may succeed on another server or later.
  boolean isTransient(Throwable error);

  /// Returns the time in nanoseconds.
  long nanoTime();

  /// Runs an action after some time.
  void after(Duration time, Runnable action);
}
