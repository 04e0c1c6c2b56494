// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.replica.AgreedConsistency;
import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.BackupRequest;
import dev.tensorbus.optim.server.replica.ConsistencyAnswer;
import dev.tensorbus.optim.server.replica.ConsistencyRequest;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.replica.JoinAnswer;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.LogEntry;
import dev.tensorbus.optim.server.replica.PartPush;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.Replica;
import dev.tensorbus.optim.server.replica.RestoreRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotState;
import dev.tensorbus.optim.server.replica.StateAnswer;
import dev.tensorbus.optim.server.replica.StateRequest;
import dev.tensorbus.optim.server.replica.TrainersAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The types that trainers and servers exchange.
public final class ServerTypes implements WireTypes {
  /// Called by the service loader.
  public ServerTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(
        Push.class,
        PulledParameters.class,
        Life.class,
        Part.class,
        SlotMap.class,
        SlotMap.Settings.class,
        MapAnswer.class,
        MapChange.Joined.class,
        MapChange.Leaving.class,
        MapChange.Left.class,
        MapChange.Filled.class,
        GroupSettings.class,
        JoinRequest.class,
        JoinAnswer.class,
        LeaveRequest.class,
        AgreedConsistency.class,
        ConsistencyRequest.class,
        ConsistencyAnswer.class,
        PushRequest.class,
        PartPush.class,
        PullRequest.class,
        PullAnswer.class,
        SlotAnswer.class,
        SlotState.class,
        StateRequest.class,
        StateAnswer.class,
        TrainersAnswer.class,
        RestoreRequest.class,
        BackupMessage.class,
        BackupRequest.Compare.class,
        BackupRequest.Fill.class,
        BackupRequest.Append.class,
        Replica.Snapshot.class,
        LogEntry.NoOp.class,
        LogEntry.ConsistencyChanged.class,
        LogEntry.Defined.class,
        LogEntry.Restored.class,
        LogEntry.Step.class,
        LogEntry.Trainers.class,
        LogEntry.TrainersChange.class,
        LogEntry.TrainersChanged.class);
  }
}
