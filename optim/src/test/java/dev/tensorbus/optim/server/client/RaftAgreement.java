// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.optim.server.view.SimulatedViews;
import dev.tensorbus.rpc.testing.SimulatedNode;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The servers vote, as in a world of processes.
final class RaftAgreement implements Agreement {
  private static final Duration RETRY = Duration.ofMillis(50);

  private final List<String> names;
  private final SlotMap first;
  private final SortedMap<String, SimulatedViews<SlotMap, MapChange>> voters = new TreeMap<>();

  RaftAgreement(List<String> names, SlotMap first) {
    this.names = names;
    this.first = first;
  }

  @Override
  public Seat join(SimulatedNode server, Consumer<SlotMap> learned) {
    var voter = new SimulatedViews<SlotMap, MapChange>(server, names, first, SlotMap::after);
    voter.views().onChange(learned);
    voters.put(server.name(), voter);
    return new VotersSeat(server, voter);
  }

  @Override
  public void left(String server) {
    voters.remove(server);
  }

  @Override
  public boolean isComplete() {
    List<List<?>> members = voters.values().stream().<List<?>>map(SimulatedViews::members).toList();
    return voters.size() == names.size()
        && members.getFirst().size() == names.size()
        && members.stream().distinct().count() == 1;
  }

  private record VotersSeat(SimulatedNode node, SimulatedViews<SlotMap, MapChange> voter)
      implements Seat {
    @Override
    public void propose(MapChange change) {
      voter
          .views()
          .propose(change)
          .onFailure(_ -> node.after(RETRY, () -> propose(change))); // as ParameterServer does
    }

    @Override
    public boolean isLive() {
      return voter.views().isLive();
    }

    @Override
    public boolean receive(String from, Object message) {
      return voter.receive(from, message);
    }

    @Override
    public void lost(String server) {
      voter.lost(server);
    }
  }
}
