// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The members of a group: those that are present, those that have left, and those that are still
/// expected. Members have keys, such as ranks or names, and every view of them is in the order of
/// their keys.
///
/// An open group consists of whoever joins. A closed group expects a fixed number of members and
/// refuses more; one that has left may join again.
///
/// Safe for any number of threads. Listeners run on the thread that makes the change and hold no
/// lock.
///
/// @param <K> the type of the keys
public final class Members<K extends Comparable<K>> {
  private final boolean isOpen;
  private final int expected;
  private final SortedSet<K> present = new TreeSet<>();
  private final SortedSet<K> departed = new TreeSet<>();

  /// The departed members that did not finish.
  private final SortedSet<K> lost = new TreeSet<>();

  private final List<Consumer<K>> departures = new CopyOnWriteArrayList<>();
  private final Promise<Void> allDeparted = Promise.promise();

  private Members(boolean isOpen, int expected) {
    this.isOpen = isOpen;
    this.expected = expected;
    completeIfAllDeparted();
  }

  /// Creates an open group without members.
  public static <K extends Comparable<K>> Members<K> open() {
    return new Members<>(true, 0);
  }

  /// Creates a closed group, all of whose members have yet to join.
  ///
  /// @param count the number of members, 0 or more
  public static <K extends Comparable<K>> Members<K> expecting(int count) {
    return new Members<>(false, count);
  }

  /// Adds a member.
  ///
  /// @throws ModelServerException if a member with this key is present, or if the group is closed
  ///     and its other members have all joined
  public synchronized void join(K member) {
    if (present.contains(member)) {
      throw new ModelServerException(
          ModelServerException.Reason.TRAINER_IS_THERE,
          "trainer \"%s\" is present already; choose another name".formatted(member));
    }
    boolean returns = departed.contains(member);
    if (!isOpen && !returns && present.size() + departed.size() == expected) {
      throw new ModelServerException(
          ModelServerException.Reason.TOO_MANY_TRAINERS,
          "all %d expected trainers have joined: %s; \"%s\" is one too many"
              .formatted(expected, known(), member));
    }
    departed.remove(member);
    lost.remove(member);
    present.add(member);
  }

  private String known() {
    return Stream.concat(present.stream(), departed.stream())
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
  }

  /// Removes a member and notifies the listeners. A closed group no longer waits for it, whether it
  /// has joined or not. A stranger takes nobody's place once all members have joined.
  ///
  /// @return whether it was present
  public boolean leave(K member) {
    boolean wasPresent;
    synchronized (this) {
      wasPresent = present.remove(member);
      if (!isOpen && (wasPresent || !isComplete())) {
        departed.add(member);
      }
    }
    departures.forEach(listener -> listener.accept(member));
    completeIfAllDeparted();
    return wasPresent;
  }

  /// Removes a member that is gone and did not finish, as [#leave] does.
  ///
  /// @return whether it was present
  public boolean lose(K member) {
    synchronized (this) {
      lost.add(member);
    }
    return leave(member);
  }

  /// Calls a listener after each departure.
  public void onDeparture(Consumer<K> listener) {
    departures.add(listener);
  }

  /// Returns the members that are present.
  public synchronized SortedSet<K> present() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(present));
  }

  /// Returns the number of members that are present or still expected.
  public synchronized int remaining() {
    return isOpen ? present.size() : expected - departed.size();
  }

  /// Returns the number of members of a closed group, and 0 for an open one.
  public int expected() {
    return expected;
  }

  /// Returns whether nobody is expected who has not joined yet.
  public synchronized boolean isComplete() {
    return isOpen || present.size() + departed.size() == expected;
  }

  /// Returns a future that completes when every member of a closed group has left, and that fails
  /// if all of them were lost.
  public Future<Void> allDeparted() {
    return allDeparted.future();
  }

  private void completeIfAllDeparted() {
    if (isOpen || remaining() > 0) {
      return;
    }
    String names = lostIfAllAre();
    if (names.isEmpty()) {
      allDeparted.tryComplete();
    } else {
      allDeparted.tryFail(
          "no trainer is left: %s lost before the training was over; start the world anew"
              .formatted(names));
    }
  }

  /// Returns the members and a verb if all were lost, else an empty text.
  private synchronized String lostIfAllAre() {
    if (expected == 0 || lost.size() < expected) {
      return "";
    }
    String names = lost.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return names + (lost.size() == 1 ? " was" : " were");
  }
}
