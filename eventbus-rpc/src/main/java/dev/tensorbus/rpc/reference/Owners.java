// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

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
import org.jspecify.annotations.Nullable;

/// The objects of this worker to which references exist, with the forks of these references and
/// their holders. An object is dropped with its last fork.
///
/// @param <R> the type of the owner's references
public final class Owners<R> {
  private static final int MOST_ABANDONED = 4096;

  private final Map<GlobalId, Entry<R>> table = new HashMap<>();
  private final Tombstones<GlobalId> over = new Tombstones<>();
  private final Tombstones<Given> forksOver = new Tombstones<>();

  /// References without forks whose creating call has not arrived. This worker may still use them.
  private final LinkedHashMap<GlobalId, WeakReference<R>> abandoned =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GlobalId, WeakReference<R>> eldest) {
          return size() > MOST_ABANDONED;
        }
      };

  private final Function<GlobalId, R> maker;
  private final Predicate<GlobalId> isMine;
  private final Predicate<Sender> isGone;
  private int forks;

  /// Creates an empty table.
  ///
  /// @param maker creates a reference whose object does not exist yet
  /// @param isMine returns whether this worker created a name
  /// @param isGone returns whether a worker has left
  public Owners(Function<GlobalId, R> maker, Predicate<GlobalId> isMine, Predicate<Sender> isGone) {
    this.maker = maker;
    this.isMine = isMine;
    this.isGone = isGone;
  }

  /// A fork and its holder, the only worker that may give the fork up.
  private record Given(GlobalId fork, Sender holder) {}

  private static final class Entry<R> {
    private final R reference;
    private final Map<GlobalId, Sender> holders = new HashMap<>();

    /// Whether the call that creates the object has arrived.
    private boolean isCreated;

    /// The number of calls that wait for the object.
    private int waiting;

    private Entry(R reference) {
      this.reference = reference;
    }
  }

  /// Returns the reference with this name, creating it if necessary: a user may pass a reference on
  /// while the call that creates the object is still in transit.
  ///
  /// @throws IllegalArgumentException if all its forks were given up
  public synchronized R place(GlobalId id) {
    return entry(id).reference;
  }

  private Entry<R> entry(GlobalId id) {
    Entry<R> known = table.get(id);
    if (known != null) {
      return known;
    }
    if (isMine.test(id) || over.contains(id)) {
      throw new IllegalArgumentException(
          "reference " + id + " no longer exists: all its forks were closed");
    }
    return table.computeIfAbsent(id, this::newEntry);
  }

  private Entry<R> newEntry(GlobalId id) {
    WeakReference<R> before = abandoned.remove(id);
    R reference = before == null ? null : before.get();
    return new Entry<>(reference == null ? maker.apply(id) : reference);
  }

  /// Returns the reference with this name, or null if it is not known.
  public synchronized @Nullable R find(GlobalId id) {
    Entry<R> known = table.get(id);
    return known == null ? null : known.reference;
  }

  /// Like [#place], for a call that waits for the object until [#leave].
  public synchronized R awaitAt(GlobalId id) {
    Entry<R> entry = entry(id);
    entry.waiting++;
    return entry.reference;
  }

  /// Ends a call's wait. Drops the object if nothing else refers to it.
  public synchronized void leave(GlobalId id) {
    Entry<R> entry = table.get(id);
    if (entry != null) {
      entry.waiting--;
      tidy(id, entry);
    }
  }

  /// Creates the entry for the result of a call that `holder` sent.
  ///
  /// @throws IllegalArgumentException if `holder` has already given the reference up
  public synchronized R create(ForkId names, Sender holder) {
    if (forksOver.contains(new Given(names.fork(), holder))) {
      throw new IllegalArgumentException(
          "the reference to its result was closed before the call arrived");
    }
    Entry<R> entry = table.computeIfAbsent(names.id(), this::newEntry);
    entry.isCreated = true;
    hold(entry, names, holder);
    return entry.reference;
  }

  /// Adds a fork of one of this worker's references.
  ///
  /// @param isMade whether the object exists; it does not while its creating call is in transit
  public synchronized void share(ForkId fork, R reference, boolean isMade, Sender holder) {
    Entry<R> entry = table.computeIfAbsent(fork.id(), key -> new Entry<>(reference));
    entry.isCreated |= isMade;
    hold(entry, fork, holder);
  }

  /// Adds a fork that `holder` received from another user. Ignores a fork that `holder` has already
  /// given up.
  public synchronized void addFork(ForkId fork, Sender holder) {
    if (!forksOver.contains(new Given(fork.fork(), holder))) {
      hold(entry(fork.id()), fork, holder);
    }
  }

  private void hold(Entry<R> entry, ForkId fork, Sender holder) {
    Sender known = entry.holders.putIfAbsent(fork.fork(), holder);
    if (known == null) {
      forks++;
    } else if (!known.equals(holder)) {
      throw new IllegalArgumentException(
          "fork %s is held by %s, not by %s".formatted(fork, known.info(), holder.info()));
    }
    if (isGone.test(holder)) {
      drop(fork, holder);
    }
  }

  /// Drops a fork, if `holder` holds it, and prevents `holder` from adding it again. The object is
  /// dropped with its last fork.
  public synchronized void drop(ForkId fork, Sender holder) {
    forksOver.add(new Given(fork.fork(), holder));
    Entry<R> entry = table.get(fork.id());
    if (entry != null) {
      if (entry.holders.remove(fork.fork(), holder)) {
        forks--;
      }
      tidy(fork.id(), entry);
    }
  }

  private void tidy(GlobalId id, Entry<R> entry) {
    if (entry.holders.isEmpty() && (entry.isCreated || entry.waiting == 0)) {
      table.remove(id);
      if (entry.isCreated) {
        over.add(id);
      } else {
        abandoned.put(id, new WeakReference<>(entry.reference));
      }
    }
  }

  /// Drops the forks of a worker that has left.
  public synchronized void workerLost(Sender holder) {
    for (Map.Entry<GlobalId, Entry<R>> one : List.copyOf(table.entrySet())) {
      Entry<R> entry = one.getValue();
      int before = entry.holders.size();
      entry.holders.values().removeIf(holder::equals);
      forks -= before - entry.holders.size();
      tidy(one.getKey(), entry);
    }
  }

  /// Returns the number of objects to which references exist.
  public synchronized int size() {
    return table.size();
  }

  /// Returns the number of forks of all objects.
  public synchronized int forks() {
    return forks;
  }
}
