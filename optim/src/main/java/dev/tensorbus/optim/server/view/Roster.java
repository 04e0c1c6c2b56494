// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.Envelope;
import dev.tensorbus.optim.server.view.VoterMessage.Group;
import dev.tensorbus.optim.server.view.VoterMessage.Hello;
import dev.tensorbus.optim.server.view.VoterMessage.Intent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The other voters, as far as a voter has heard from them.
final class Roster {
  /// The newest life of a worker, as far as known.
  static final class Sighting {
    private final Voter voter;
    private final long since;
    private @Nullable Hello hello;
    private long helloAt;
    private @Nullable Long group;

    Sighting(Voter voter, long now) {
      this.voter = voter;
      this.since = now;
    }

    Voter voter() {
      return voter;
    }

    /// Returns the first time since which no other life of the worker was heard from.
    long since() {
      return since;
    }

    /// Returns whether the voter is known to belong to a group.
    boolean belongsTo(Group other) {
      return group != null && group == other.id();
    }

    /// Returns whether the voter has left.
    boolean hasLeft() {
      return hello != null && hello.intent() == Intent.LEAVE;
    }

    /// Returns whether the voter has wanted to join since the given time.
    boolean joinsSince(long time) {
      return hello != null && hello.intent() == Intent.JOIN && helloAt - time >= 0;
    }

    /// Returns whether the voter is known to belong to no group.
    boolean isUnbound() {
      return group == null;
    }
  }

  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Set<Voter> lost = new HashSet<>();

  /// Records a message within a group.
  void saw(Envelope envelope, long now) {
    saw(envelope.from(), now).group = envelope.group();
  }

  void saw(Hello hello, long now) {
    Sighting sighting = saw(hello.from(), now);
    sighting.hello = hello;
    sighting.helloAt = now;
    sighting.group = hello.group() == null ? null : hello.group().id();
    if (hello.intent() == Intent.LEAVE) {
      lost.add(hello.from());
    }
  }

  private Sighting saw(Voter voter, long now) {
    lost.remove(voter); // a message proves that the loss was another life's
    Sighting known = sightings.get(voter.name());
    if (known == null || !known.voter.equals(voter)) {
      known = new Sighting(voter, now);
      sightings.put(voter.name(), known);
    }
    return known;
  }

  /// Records that a worker's current life has ended.
  void lost(String name) {
    Sighting known = sightings.get(name);
    if (known != null) {
      lost.add(known.voter);
    }
  }

  /// Returns whether a voter is known to be dead, since it was lost or another life of the worker
  /// has begun.
  boolean isGone(Voter voter) {
    Sighting known = sightings.get(voter.name());
    return lost.contains(voter) || (known != null && !known.voter.equals(voter));
  }

  @Nullable Sighting get(String name) {
    return sightings.get(name);
  }

  List<Sighting> sightings() {
    return List.copyOf(sightings.values());
  }
}
