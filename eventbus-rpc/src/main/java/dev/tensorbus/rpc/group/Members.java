// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The members of a group: those that are present, those that have left, and those that are still
/// expected. Members are identified by keys, such as ranks or names, and all views are ordered by
/// key.
///
/// An open group admits any number of members, and may expect some before it is complete. A closed
/// group expects a fixed number and rejects further ones, but a member that has left may join
/// again.
///
/// Thread-safe. Listeners run on the thread that makes the change, with no lock held.
///
/// @param <K> the type of the keys
public final class Members<K extends Comparable<K>> {
  private final String role;
  private final boolean isOpen;
  private final int expected;
  private final SortedSet<K> present = new TreeSet<>();
  private final SortedSet<K> departed = new TreeSet<>();

  /// The departed members that did not finish.
  private final SortedSet<K> lost = new TreeSet<>();

  private final List<Consumer<K>> departures = new CopyOnWriteArrayList<>();

  /// Whether all expected members of an open group were present at some time.
  private boolean wasComplete;

  private Members(String role, boolean isOpen, int expected) {
    this.role = role;
    this.isOpen = isOpen;
    this.expected = expected;
    this.wasComplete = expected == 0;
  }

  /// Creates an open group without members.
  ///
  /// @param role the kind of member, used in error messages, such as `trainer`
  public static <K extends Comparable<K>> Members<K> open(String role) {
    return open(role, 0);
  }

  /// Creates an open group without members, which is complete once this many have been
  /// present at the same time.
  ///
  /// @param role the kind of member, used in error messages, such as `trainer`
  /// @param expected the number of members, 0 or more
  public static <K extends Comparable<K>> Members<K> open(String role, int expected) {
    return new Members<>(role, true, expected);
  }

  /// Creates a closed group, all of whose members have yet to join.
  ///
  /// @param role the kind of member, used in error messages, such as `trainer`
  /// @param count the number of members, 0 or more
  public static <K extends Comparable<K>> Members<K> expecting(String role, int count) {
    return new Members<>(role, false, count);
  }

  /// Creates a closed group, all of whose members are present.
  ///
  /// @param role the kind of member, used in error messages, such as `trainer`
  public static <K extends Comparable<K>> Members<K> of(String role, Collection<K> members) {
    Members<K> group = expecting(role, members.size());
    members.forEach(group::join);
    return group;
  }

  /// Adds a member.
  ///
  /// @throws MemberRefusedException if a member with this key is present, or if the group is closed
  ///     and all its expected members have joined
  public synchronized void join(K member) {
    if (present.contains(member)) {
      throw new MemberRefusedException(
          MemberRefusedException.Reason.PRESENT,
          "%s \"%s\" has already joined; choose another name".formatted(role, member));
    }
    boolean returns = departed.contains(member);
    if (!isOpen && !returns && present.size() + departed.size() == expected) {
      throw new MemberRefusedException(
          MemberRefusedException.Reason.FULL,
          "all %d expected %ss have joined: %s; \"%s\" is one too many"
              .formatted(expected, role, known(), member));
    }
    departed.remove(member);
    lost.remove(member);
    present.add(member);
    wasComplete |= present.size() >= expected;
  }

  private String known() {
    return Stream.concat(present.stream(), departed.stream())
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
  }

  /// Removes a member and notifies the listeners. A closed group no longer waits for the member,
  /// even if it has never joined. Once all expected members have joined, removing a key that is not
  /// present only notifies the listeners.
  ///
  /// @return whether the member was present
  public boolean leave(K member) {
    return depart(member, false);
  }

  /// Removes a member as [#leave] does, and records that it did not finish.
  ///
  /// @return whether the member was present
  public boolean lose(K member) {
    return depart(member, true);
  }

  private boolean depart(K member, boolean isLost) {
    boolean wasPresent;
    synchronized (this) {
      wasPresent = present.remove(member);
      if (!isOpen && (wasPresent || !isComplete())) {
        departed.add(member);
        if (isLost) {
          lost.add(member);
        }
      }
    }
    departures.forEach(listener -> listener.accept(member));
    return wasPresent;
  }

  /// Calls a listener after each departure.
  public void onDeparture(Consumer<K> listener) {
    departures.add(listener);
  }

  /// Returns the members that are present.
  public synchronized SortedSet<K> present() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(present));
  }

  /// Returns whether a member is present.
  public synchronized boolean contains(K member) {
    return present.contains(member);
  }

  /// Returns the number of members that are present or still expected.
  public synchronized int remaining() {
    int wanted = isComplete() ? present.size() : expected;
    return isOpen ? wanted : expected - departed.size();
  }

  /// Returns the number of members that this group expects.
  public int expected() {
    return expected;
  }

  /// Returns whether all expected members have joined.
  public synchronized boolean isComplete() {
    return isOpen ? wasComplete : present.size() + departed.size() == expected;
  }

  /// Returns whether all expected members have joined and `keys` contains the key of every present
  /// member.
  public synchronized boolean areAllIn(Collection<K> keys) {
    return isComplete() && keys.containsAll(present);
  }

  /// Returns the members that left without having finished.
  public synchronized SortedSet<K> lost() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(lost));
  }

  /// Returns a message if every member of a closed group was lost, such as `no trainer is left: a,
  /// b were lost`.
  ///
  /// @param name returns a member's name
  public synchronized Optional<String> lossOfAll(Function<? super K, String> name) {
    if (expected == 0 || lost.size() < expected) {
      return Optional.empty();
    }
    String names = lost.stream().map(name).collect(Collectors.joining(", "));
    String verb = lost.size() == 1 ? "was" : "were";
    return Optional.of("no %s is left: %s %s lost".formatted(role, names, verb));
  }
}
