// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.SimulatedNode;
import dev.tensorbus.rpc.testing.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// A node named `agreement`, which never dies, decides.
final class CentralAgreement implements Agreement {
  private static final Duration RETRY = Duration.ofMillis(25);

  private final SimulatedNode center;
  private final List<SlotMap> history = new ArrayList<>();
  private final Set<String> servers = new TreeSet<>();

  /// By worker: the number of its newest life that has joined.
  private final Map<String, Long> lives = new TreeMap<>();

  /// @param first the number of the first of these maps
  private record NewMaps(int first, List<SlotMap> maps) {
    @Override
    public String toString() {
      return "maps %s %x".formatted(maps.getLast().epoch(), ContentHash.of(maps));
    }
  }

  /// Asks for the maps from this number on.
  private record Behind(int first) {}

  CentralAgreement(Simulation simulation, SlotMap first) {
    history.add(first);
    center = simulation.start("agreement");
    center.onMessage(
        (from, message) -> {
          switch (message) {
            case MapChange change -> agree(change);
            case Behind behind -> tell(from, behind.first());
            default -> throw new IllegalArgumentException(message.toString());
          }
        });
  }

  private SlotMap newest() {
    return history.getLast();
  }

  private void agree(MapChange change) {
    if (change instanceof MapChange.Joined(Life server)) {
      Long before = lives.get(server.worker());
      if (before != null && before >= server.number()) {
        return; // the message is late or doubled; servers that vote carry out a change once, too
      }
      lives.put(server.worker(), server.number());
    }
    SlotMap next = newest().after(change);
    if (next.epoch() > newest().epoch()) {
      history.add(next);
      servers.forEach(server -> tell(server, history.size() - 1));
    }
  }

  private void tell(String server, int first) {
    if (first < history.size()) {
      center.send(server, new NewMaps(first, List.copyOf(history.subList(first, history.size()))));
    }
  }

  @Override
  public Seat join(SimulatedNode server, Consumer<SlotMap> learned) {
    servers.add(server.name());
    CentralSeat seat = new CentralSeat(server, learned);
    server.clock().every(RETRY, seat::ask); // maps may be lost on their way
    return seat;
  }

  @Override
  public boolean isComplete() {
    return true;
  }

  private final class CentralSeat implements Seat {
    private final SimulatedNode node;
    private final Consumer<SlotMap> learned;
    private SlotMap map = history.getFirst();
    private int known = 1;

    private CentralSeat(SimulatedNode node, Consumer<SlotMap> learned) {
      this.node = node;
      this.learned = learned;
    }

    private void ask() {
      node.send(center.name(), new Behind(known));
    }

    @Override
    public void propose(MapChange change) {
      node.send(center.name(), change);
      node.after(
          RETRY,
          () -> {
            if (map.after(change).epoch() > map.epoch()) { // else it is agreed on, or obsolete
              propose(change);
            }
          });
    }

    @Override
    public boolean isLive() {
      return true;
    }

    @Override
    public boolean receive(String from, Object message) {
      if (message instanceof NewMaps(int first, List<SlotMap> maps)) {
        if (first <= known) { // else earlier ones are still missing
          maps.forEach(learned); // known ones, too: the server ignores them
          known = Math.max(known, first + maps.size());
          map = history.get(known - 1);
        }
        return true;
      }
      return false;
    }

    @Override
    public void lost(String server) {}
  }
}
