// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import java.util.Comparator;

/// One life of a worker, or of a trainer outside the world that a worker's gateway serves. If it is
/// started again, it has the same name and another number, so that nothing is taken over from its
/// former life by mistake.
///
/// @param name the name of the worker or trainer
/// @param worker the worker with which this life ends: itself, or the one with the gateway
/// @param number differs between the lives with this name
public record Life(String name, String worker, long number) implements Comparable<Life> {
  private static final Comparator<Life> ORDER =
      Comparator.comparing(Life::name).thenComparingLong(Life::number);

  /// Creates a life of a worker.
  public Life(String worker, long number) {
    this(worker, worker, number);
  }

  /// Returns the key of the pushes of a shard of the data, which any trainer may make.
  public static Life ofShard(int shard) {
    return new Life("shard", shard);
  }

  /// Returns whether this is another life of the same worker or trainer. A trainer outside the
  /// world may come back through another worker; one that has the name of a worker is not that
  /// worker.
  public boolean isAnotherLifeOf(Life other) {
    return name.equals(other.name) && isWorker() == other.isWorker() && number != other.number;
  }

  /// Returns whether this is a life of a worker, and not of a trainer outside the world.
  public boolean isWorker() {
    return name.equals(worker);
  }

  @Override
  public int compareTo(Life other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return name;
  }
}
