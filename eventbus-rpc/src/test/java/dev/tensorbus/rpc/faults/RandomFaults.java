// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import dev.tensorbus.rpc.testing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Draws the faults of a schedule: one to three, everywhere or at some place.
final class RandomFaults {
  private static final int MOST = 3;

  private RandomFaults() {}

  static List<Fault> of(SplittableRandom random, int workers) {
    List<Fault> faults = new ArrayList<>();
    int count = random.nextInt(1, MOST + 1);
    for (int i = 0; i < count; i++) {
      faults.add(somewhere(one(random, workers), random, workers));
    }
    return faults;
  }

  private static Fault one(SplittableRandom random, int workers) {
    double probability = random.nextDouble(0.05, 0.4);
    return switch (random.nextInt(6)) {
      case 0 -> Fault.drop(probability / 2);
      case 1 -> Fault.delay(probability, Duration.ofMillis(10));
      case 2 -> Fault.delay(probability / 2, Schedule.TIMEOUT.multipliedBy(2)); // answers too late
      case 3 -> Fault.duplicate(probability);
      case 4 -> Fault.reorder(probability);
      default -> Fault.cut(anyOf(random, workers), anyOf(random, workers));
    };
  }

  private static Fault somewhere(Fault fault, SplittableRandom random, int workers) {
    String worker = anyOf(random, workers);
    return switch (random.nextInt(6)) {
      case 0 -> fault.from(worker);
      case 1 -> fault.to(worker);
      case 2 -> fault.ofKind("request");
      case 3 -> fault.ofKind("response");
      default -> fault;
    };
  }

  private static String anyOf(SplittableRandom random, int workers) {
    return "worker" + random.nextInt(workers);
  }
}
