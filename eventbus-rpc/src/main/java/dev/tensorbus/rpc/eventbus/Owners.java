// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// The objects of this worker that references point at, each with the forks of its reference and
/// who holds them; an object goes with its last fork.
final class Owners {
  private static final int MOST_ABANDONED = 4096;

  private final Map<GlobalId, Entry> table = new HashMap<>();
  private final Tombstones over = new Tombstones();

  /// Places that nobody refers to by a fork and whose call has not come. This worker may still
  /// have the reference in its hands.
  private final LinkedHashMap<GlobalId, WeakReference<OwnedRRef<?>>> abandoned =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(
            Map.Entry<GlobalId, WeakReference<OwnedRRef<?>>> eldest) {
          return size() > MOST_ABANDONED;
        }
      };

  private final Function<GlobalId, OwnedRRef<?>> maker;
  private final Predicate<GlobalId> isMine;
  private final Predicate<Sender> isGone;
  private int forks;

  /// @param maker makes a reference whose object is yet to come
  /// @param isMine whether a name was given by this worker
  /// @param isGone whether a worker has left
  Owners(
      Function<GlobalId, OwnedRRef<?>> maker,
      Predicate<GlobalId> isMine,
      Predicate<Sender> isGone) {
    this.maker = maker;
    this.isMine = isMine;
    this.isGone = isGone;
  }

  private static final class Entry {
    private final OwnedRRef<?> reference;
    private final Map<GlobalId, Sender> holders = new HashMap<>();

    /// Whether the call that makes the object has come.
    private boolean isCreated;

    /// How many calls wait for the object.
    private int waiting;

    private Entry(OwnedRRef<?> reference) {
      this.reference = reference;
    }
  }

  /// The reference of this name. It may be that of a call that is still on its way: a user may
  /// pass a reference on before its creation has arrived.
  ///
  /// @throws IllegalArgumentException if all its forks were given up
  synchronized OwnedRRef<?> place(GlobalId id) {
    return entry(id).reference;
  }

  private Entry entry(GlobalId id) {
    Entry known = table.get(id);
    if (known != null) {
      return known;
    }
    if (isMine.test(id) || over.contains(id)) {
      throw new IllegalArgumentException(
          "reference " + id + " is gone from its owner: all its forks were given up");
    }
    return table.computeIfAbsent(id, this::newEntry);
  }

  private Entry newEntry(GlobalId id) {
    WeakReference<OwnedRRef<?>> before = abandoned.remove(id);
    OwnedRRef<?> reference = before == null ? null : before.get();
    return new Entry(reference == null ? maker.apply(id) : reference);
  }

  /// The same for a call that waits for the object, until [#leave].
  synchronized OwnedRRef<?> awaitAt(GlobalId id) {
    Entry entry = entry(id);
    entry.waiting++;
    return entry.reference;
  }

  /// Ends a call's wait; an object that nobody else wants is not waited for any more.
  synchronized void leave(GlobalId id) {
    Entry entry = table.get(id);
    if (entry != null) {
      entry.waiting--;
      tidy(id, entry);
    }
  }

  /// Makes the place for the result of a call that `holder` sent.
  ///
  /// @throws IllegalArgumentException if the holder has given it up already
  synchronized OwnedRRef<?> create(ForkId names, Sender holder) {
    if (over.contains(names.fork())) {
      throw new IllegalArgumentException(
          "the reference that it was to make was given up before it came");
    }
    Entry entry = table.computeIfAbsent(names.id(), this::newEntry);
    entry.isCreated = true;
    hold(entry, names, holder);
    return entry.reference;
  }

  /// Enters a fork of a reference of this worker.
  synchronized void share(OwnedRRef<?> reference, GlobalId fork, Sender holder) {
    Entry entry = table.computeIfAbsent(reference.id(), key -> new Entry(reference));
    // The owner may know of an object before the call that makes it has come.
    entry.isCreated |= reference.value().future().isComplete();
    hold(entry, new ForkId(reference.id(), fork), holder);
  }

  /// Enters a fork that `holder` has from another user; one that is over is passed over.
  synchronized void addFork(ForkId fork, Sender holder) {
    if (!over.contains(fork.fork())) {
      hold(entry(fork.id()), fork, holder);
    }
  }

  private void hold(Entry entry, ForkId fork, Sender holder) {
    if (entry.holders.put(fork.fork(), holder) == null) {
      forks++;
    }
    if (isGone.test(holder)) {
      drop(fork);
    }
  }

  /// Forgets a fork, which will not come again, and the object with its last fork.
  synchronized void drop(ForkId fork) {
    over.add(fork.fork());
    Entry entry = table.get(fork.id());
    if (entry != null) {
      if (entry.holders.remove(fork.fork()) != null) {
        forks--;
      }
      tidy(fork.id(), entry);
    }
  }

  private void tidy(GlobalId id, Entry entry) {
    if (entry.holders.isEmpty() && (entry.isCreated || entry.waiting == 0)) {
      table.remove(id);
      if (entry.isCreated) {
        over.add(id);
      } else {
        abandoned.put(id, new WeakReference<>(entry.reference));
      }
    }
  }

  /// Forgets the forks of a worker that has left.
  synchronized void workerLost(Sender holder) {
    for (Map.Entry<GlobalId, Entry> one : List.copyOf(table.entrySet())) {
      Entry entry = one.getValue();
      int before = entry.holders.size();
      entry.holders.values().removeIf(holder::equals);
      forks -= before - entry.holders.size();
      tidy(one.getKey(), entry);
    }
  }

  /// How many objects others refer to.
  synchronized int size() {
    return table.size();
  }

  /// How many forks they have.
  synchronized int forks() {
    return forks;
  }
}
