// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The workers whose settings differ from this worker's, and which therefore cannot be in its
/// world.
final class Differences {
  private final Member self;
  private final Map<String, String> seen = new ConcurrentSkipListMap<>();

  Differences(Member self) {
    this.self = self;
  }

  /// Returns the difference that excludes another worker from this world, or null if there is none.
  @Nullable String of(Member other) {
    String difference = difference(other);
    if (difference == null) {
      seen.remove(other.info().name());
    } else {
      seen.put(other.info().name(), difference);
    }
    return difference;
  }

  /// Returns a suffix for the error message about missing workers: the first difference seen, or an
  /// empty string.
  String text() {
    return seen.values().stream().findFirst().map(first -> "; " + first).orElse("");
  }

  /// Returns a suffix for an error message about the worker with this name: its difference, or an
  /// empty string.
  String text(String name) {
    String difference = seen.get(name);
    return difference == null ? "" : "; " + difference;
  }

  private @Nullable String difference(Member other) {
    String name = "worker \"" + other.info().name() + "\"";
    if (!other.program().equals(self.program())) {
      return name
          + " runs "
          + other.program()
          + ", but this worker runs "
          + self.program()
          + "; start all workers with the same program from the same build, or use another master"
          + " port for this world";
    }
    if (other.worldSize() != self.worldSize()) {
      return name
          + " was started for "
          + world(other)
          + ", but this worker for "
          + world(self)
          + "; use the same world size for all workers";
    }
    String types = self.types().difference(name, other.types());
    return types == null ? null : types + "; start all workers from the same build";
  }

  private static String world(Member member) {
    return member.worldSize() == 0 ? "a dynamic group" : "a world of " + member.worldSize();
  }
}
