// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.optim.server.slot.SlotMap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Copies the slots of which a server is the primary to the servers that will have them: one slot
/// after another to each. When a server has all of them, it proposes to make it a replica.
///
/// Used under the lock of the [SlotServer].
final class SlotCopies {
  private final Life self;
  private final Supplier<SlotMap> map;
  private final SortedMap<Part, Primary> primaries;
  private final Consumer<MapChange> propose;
  private final SortedMap<Life, Progress> byServer = new TreeMap<>();

  /// The slots of which a server that is no replica yet receives or has received copies.
  private static final class Progress {
    private final Set<Integer> filled = new TreeSet<>();
    private @Nullable Integer current;

    private boolean isFor(int slot) {
      return filled.contains(slot) || (current != null && current == slot);
    }

    private void retain(IntPredicate wanted) {
      filled.removeIf(slot -> !wanted.test(slot));
      if (current != null && !wanted.test(current)) {
        current = null;
      }
    }
  }

  /// @param map returns the current map
  /// @param primaries those of this server, which may change
  SlotCopies(
      Life self,
      Supplier<SlotMap> map,
      SortedMap<Part, Primary> primaries,
      Consumer<MapChange> propose) {
    this.self = self;
    this.map = map;
    this.primaries = primaries;
    this.propose = propose;
  }

  /// Copies what the servers of a new map lack.
  ///
  /// @param isOver returns whether a term of this server as a slot's primary is over
  void mapChanged(IntPredicate isOver) {
    SlotMap now = map.get();
    byServer.keySet().retainAll(now.servers());
    byServer.forEach(
        (server, progress) ->
            progress.retain(slot -> !isOver.test(slot) && now.wanted().get(slot).contains(server)));
    copyMissing();
  }

  /// Copies a part that is new to the servers that receive its slot.
  void copy(Part part, Primary primary) {
    byServer.forEach(
        (server, progress) -> {
          if (progress.isFor(part.slot())) {
            primary.log().fill(server, () -> {});
          }
        });
  }

  private void copyMissing() {
    SlotMap now = map.get();
    for (Life server : now.servers()) {
      List<Integer> missing =
          now.slotsOf(self).stream()
              .filter(slot -> now.wanted().get(slot).contains(server))
              .filter(slot -> !now.replicas().get(slot).contains(server))
              .toList();
      if (!missing.isEmpty()) {
        copyNext(server, missing, byServer.computeIfAbsent(server, _ -> new Progress()));
      }
    }
  }

  private void copyNext(Life server, List<Integer> missing, Progress progress) {
    if (progress.current != null) {
      return;
    }
    Set<Integer> used = primaries.keySet().stream().map(Part::slot).collect(Collectors.toSet());
    missing.stream().filter(slot -> !used.contains(slot)).forEach(progress.filled::add);
    Optional<Integer> next =
        missing.stream().filter(slot -> !progress.filled.contains(slot)).findFirst();
    if (next.isPresent()) {
      copySlot(server, next.get(), progress);
    } else {
      propose.accept(new MapChange.Filled(server, missing, self, map.get().serversSince()));
    }
  }

  private void copySlot(Life server, int slot, Progress progress) {
    Deque<Primary> parts = new ArrayDeque<>();
    primaries.forEach(
        (part, primary) -> {
          if (part.slot() == slot) {
            parts.add(primary);
          }
        });
    progress.current = slot;
    copyParts(
        server,
        parts,
        () -> {
          progress.filled.add(slot);
          progress.current = null;
          copyMissing();
        });
  }

  private void copyParts(Life server, Deque<Primary> parts, Runnable filled) {
    if (parts.isEmpty()) {
      filled.run();
    } else {
      parts.remove().log().fill(server, () -> copyParts(server, parts, filled));
    }
  }
}
