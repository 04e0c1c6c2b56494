// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.util.ArrayList;
import java.util.List;

/// The fate of one message.
final class Fate {
  /// The delay of each copy of the message, in milliseconds.
  private final List<Long> departures = new ArrayList<>(List.of(0L));

  /// The maximum time in milliseconds to hold the message back until the next one overtakes it, or
  /// 0 if it is not held back.
  private long held;

  void suffer(Fault fault, long millis) {
    switch (fault.effect()) {
      case DROP -> departures.clear();
      case DELAY -> departures.replaceAll(time -> time + millis);
      case DUPLICATE -> departures.addAll(departures.stream().map(time -> time + millis).toList());
      case REORDER -> held = fault.atMost().toMillis();
    }
  }

  List<Long> departures() {
    return departures;
  }

  long held() {
    return held;
  }

  boolean isOrdinary() {
    return held == 0 && departures.equals(List.of(0L));
  }
}
