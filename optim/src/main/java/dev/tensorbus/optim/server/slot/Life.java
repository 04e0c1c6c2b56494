// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import java.util.Comparator;

/// One life of a worker. A worker that is started again has the same name and another number, so
/// that nothing is taken over from its former life by mistake.
///
/// @param worker the worker's name
/// @param number differs between the lives of a worker
public record Life(String worker, long number) implements Comparable<Life> {
  private static final Comparator<Life> ORDER =
      Comparator.comparing(Life::worker).thenComparingLong(Life::number);

  /// Returns whether this is another life of the same worker.
  public boolean isAnotherLifeOf(Life other) {
    return worker.equals(other.worker) && number != other.number;
  }

  @Override
  public int compareTo(Life other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return worker;
  }
}
