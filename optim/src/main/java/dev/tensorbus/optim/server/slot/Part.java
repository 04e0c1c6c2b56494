// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import java.util.Comparator;

/// The parameters of one group in one slot.
public record Part(String group, int slot) implements Comparable<Part> {
  private static final Comparator<Part> ORDER =
      Comparator.comparing(Part::group).thenComparingInt(Part::slot);

  @Override
  public int compareTo(Part other) {
    return ORDER.compare(this, other);
  }
}
