// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Assigns slots to servers. Each slot has replicas on some servers: the first is the primary,
/// which answers the trainers, and the others are its backups.
///
/// The servers of a slot are chosen by rendezvous hashing (Thaler and Ravishankar, "Using
/// name-based mappings to increase hit rates", 1998): every server has a weight for the slot, and
/// the lightest servers have it. If one dies, only its own slots move, and each to the server that
/// is its first backup.
///
/// All servers agree on a sequence of changes, so that all see the same maps in the same order. A
/// server becomes a replica only after it has received a copy of the slot.
///
/// @param epoch increases with each change
/// @param settings the settings of all maps
/// @param isAssigned whether the expected servers have joined, so that slots are assigned
/// @param servers the servers that are alive, in order
/// @param leaving those of the servers that will leave when others have their slots
/// @param serversSince the epoch in which the servers or the leaving ones last changed
/// @param wanted for each slot the servers that have or will have it, the primary first
/// @param replicas the servers of each slot, the primary first; empty lists before slots are
///     assigned, and for slots all of whose servers have died
/// @param terms for each slot the epoch in which its primary became the primary
public record SlotMap(
    long epoch,
    Settings settings,
    boolean isAssigned,
    List<Life> servers,
    List<Life> leaving,
    long serversSince,
    List<List<Life>> wanted,
    List<List<Life>> replicas,
    List<Long> terms) {
  /// The number of slots.
  public static final int SLOTS = 256;

  /// The map of a server or trainer that has heard of no other one.
  public static final SlotMap UNKNOWN = empty(new Settings(1, 0));

  /// Settings that do not change.
  ///
  /// @param servers the number of servers that must join before slots are assigned, 1 or more
  /// @param backups the number of backups of each slot, 0 or more
  public record Settings(int servers, int backups) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if there are fewer servers than replicas
    public Settings {
      if (backups < 0 || backups >= servers) {
        throw new IllegalArgumentException(
            "%d backups with %d servers; expected 0 to %d backups"
                .formatted(backups, servers, Math.max(0, servers - 1)));
      }
    }
  }

  /// Copies the lists.
  public SlotMap {
    servers = List.copyOf(servers);
    leaving = List.copyOf(leaving);
    wanted = wanted.stream().map(List::copyOf).toList();
    replicas = replicas.stream().map(List::copyOf).toList();
    terms = List.copyOf(terms);
  }

  /// Returns the map before any server has joined.
  public static SlotMap empty(Settings settings) {
    return new SlotMap(
        0,
        settings,
        false,
        List.of(),
        List.of(),
        0,
        Collections.nCopies(SLOTS, List.of()),
        Collections.nCopies(SLOTS, List.of()),
        Collections.nCopies(SLOTS, 0L));
  }

  /// Returns the slot of a key.
  public static int slotOf(String key) {
    return Math.floorMod(Hash.of(key), SLOTS);
  }

  /// Returns the primary of a slot, or null if no server has the slot.
  public @Nullable Life primary(int slot) {
    return replicas.get(slot).isEmpty() ? null : replicas.get(slot).getFirst();
  }

  private static List<List<Life>> wanted(List<Life> servers, int count) {
    return IntStream.range(0, SLOTS)
        .mapToObj(
            slot ->
                servers.stream()
                    .sorted(Comparator.comparingLong(server -> weight(server, slot)))
                    .limit(count)
                    .toList())
        .toList();
  }

  private static long weight(Life server, int slot) {
    return Hash.mixed(Hash.of(server.worker()) + Hash.mixed(server.number() + slot));
  }

  /// Returns the slots whose primary is this server.
  public List<Integer> slotsOf(Life server) {
    return IntStream.range(0, SLOTS).filter(slot -> server.equals(primary(slot))).boxed().toList();
  }

  /// Returns the map after a change, or this map if the change does not apply.
  public SlotMap after(MapChange change) {
    return switch (change) {
      case MapChange.Joined(Life server) when !servers.contains(server) ->
          withoutOtherLives(server).with(server);
      case MapChange.Leaving(Life server) when canLeave(server) -> leaving(server);
      case MapChange.Left(Life server) when servers.contains(server) -> without(server);
      case MapChange.Filled filled when serversSince == filled.serversSince() -> after(filled);
      default -> this;
    };
  }

  private SlotMap withoutOtherLives(Life server) {
    SlotMap map = this;
    for (Life other : servers) {
      map = other.isAnotherLifeOf(server) ? map.without(other) : map;
    }
    return map;
  }

  private SlotMap with(Life server) {
    List<Life> more = Stream.concat(servers.stream(), Stream.of(server)).sorted().toList();
    boolean isComplete = !isAssigned && more.size() >= settings.servers();
    return next(
        isAssigned || isComplete,
        more,
        leaving,
        isComplete ? wanted(more, settings.backups() + 1) : replicas);
  }

  private SlotMap without(Life server) {
    return next(
        isAssigned,
        without(servers, server),
        without(leaving, server),
        replicas.stream().map(list -> without(list, server)).toList());
  }

  private static List<Life> without(List<Life> list, Life server) {
    return list.stream().filter(other -> !other.equals(server)).toList();
  }

  private boolean canLeave(Life server) {
    boolean areOthers = leaving.size() + 1 < servers.size();
    return servers.contains(server) && !leaving.contains(server) && areOthers;
  }

  /// Where all other servers of a slot have it already, they are the servers at once.
  private SlotMap leaving(Life server) {
    List<Life> more = Stream.concat(leaving.stream(), Stream.of(server)).sorted().toList();
    List<List<Life>> next = wanted(staying(servers, more), settings.backups() + 1);
    List<List<Life>> changed =
        IntStream.range(0, SLOTS).mapToObj(i -> settled(replicas.get(i), next.get(i))).toList();
    return next(isAssigned, servers, more, changed);
  }

  private static List<Life> staying(List<Life> servers, List<Life> leaving) {
    return servers.stream().filter(server -> !leaving.contains(server)).toList();
  }

  private SlotMap after(MapChange.Filled filled) {
    List<List<Life>> changed = new ArrayList<>(replicas);
    for (int slot : filled.slots()) {
      if (filled.primary().equals(primary(slot))) {
        List<Life> more =
            Stream.concat(replicas.get(slot).stream(), Stream.of(filled.server()))
                .distinct()
                .toList();
        changed.set(slot, settled(more, wanted.get(slot)));
      }
    }
    return changed.equals(replicas) ? this : next(true, servers, leaving, changed);
  }

  /// Returns the servers of a slot: when all wanted servers have it, they are the servers, in the
  /// wanted order.
  private static List<Life> settled(List<Life> having, List<Life> wanted) {
    return having.containsAll(wanted) ? wanted : having;
  }

  private SlotMap next(
      boolean isAssigned, List<Life> servers, List<Life> leaving, List<List<Life>> replicas) {
    long next = epoch + 1;
    List<Long> terms =
        IntStream.range(0, SLOTS)
            .mapToObj(slot -> isLedAlike(slot, replicas.get(slot)) ? this.terms.get(slot) : next)
            .toList();
    boolean areSame = servers.equals(this.servers) && leaving.equals(this.leaving);
    return new SlotMap(
        next,
        settings,
        isAssigned,
        servers,
        leaving,
        areSame ? serversSince : next,
        areSame ? wanted : wanted(staying(servers, leaving), settings.backups() + 1),
        replicas,
        terms);
  }

  /// Returns whether a slot's primary stays the same.
  private boolean isLedAlike(int slot, List<Life> next) {
    return !next.isEmpty() && next.getFirst().equals(primary(slot));
  }
}
