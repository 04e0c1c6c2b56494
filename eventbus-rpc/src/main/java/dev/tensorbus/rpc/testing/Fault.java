// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.time.Duration;
import java.util.function.Predicate;

/// A fault of some messages on a [FaultyNetwork]. Immutable; `from`, `to` and the like return a
/// copy that applies to fewer messages.
///
/// ```java
/// Fault.drop(0.1).ofKind("response").from("worker1")
/// ```
///
/// @param effect what happens to a message
/// @param probability how often, from 0 to 1
/// @param atMost the maximum delay of a message
/// @param concerns the messages to which it applies
public record Fault(
    Effect effect, double probability, Duration atMost, Predicate<TrafficTotals> concerns) {
  private static final Duration BRIEFLY = Duration.ofMillis(20);

  /// The effects of a fault on a message.
  public enum Effect {
    /// The message never arrives.
    DROP,
    /// The message arrives later.
    DELAY,
    /// The message arrives a second time, later.
    DUPLICATE,
    /// The message arrives after the next one.
    REORDER
  }

  /// @throws IllegalArgumentException if the probability is invalid or the time is negative
  public Fault {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability " + probability + " must be from 0 to 1");
    }
    if (atMost.isNegative()) {
      throw new IllegalArgumentException("time " + atMost + " must not be negative");
    }
  }

  private static Fault of(Effect effect, double probability, Duration atMost) {
    return new Fault(effect, probability, atMost, traffic -> true);
  }

  /// Loses messages.
  public static Fault drop(double probability) {
    return of(Effect.DROP, probability, Duration.ZERO);
  }

  /// Loses all messages between two workers, in both directions; neither is notified.
  public static Fault cut(String a, String b) {
    return drop(1).between(a, b);
  }

  /// Loses all messages to and from a worker, which therefore looks frozen to all others.
  public static Fault isolate(String worker) {
    return drop(1).where(traffic -> traffic.from().equals(worker) || traffic.to().equals(worker));
  }

  /// Delays messages by up to the given time, each by a different one, so that they also overtake
  /// each other.
  public static Fault delay(double probability, Duration atMost) {
    return of(Effect.DELAY, probability, atMost);
  }

  /// Delivers messages twice, the second time up to 20 ms later.
  public static Fault duplicate(double probability) {
    return of(Effect.DUPLICATE, probability, BRIEFLY);
  }

  /// Delivers messages after the next one between the same workers, or after 20 ms if there is
  /// none.
  public static Fault reorder(double probability) {
    return of(Effect.REORDER, probability, BRIEFLY);
  }

  /// Returns a copy with another maximum delay.
  public Fault within(Duration newAtMost) {
    return new Fault(effect, probability, newAtMost, concerns);
  }

  /// Returns a copy for messages from this worker only.
  public Fault from(String worker) {
    return where(traffic -> traffic.from().equals(worker));
  }

  /// Returns a copy for messages to this worker only.
  public Fault to(String worker) {
    return where(traffic -> traffic.to().equals(worker));
  }

  /// Returns a copy for messages between two workers only.
  public Fault between(String a, String b) {
    return where(traffic -> traffic.goes(a, b) || traffic.goes(b, a));
  }

  /// Returns a copy for messages of one kind only: `request`, `response`, `cancel`, `release`.
  public Fault ofKind(String kind) {
    return where(traffic -> traffic.kind().equals(kind));
  }

  /// Returns a copy for requests that call one function only, as in `Server.update`.
  public Fault calling(String function) {
    return where(traffic -> traffic.function().equals(function));
  }

  /// Returns a copy for messages that also satisfy this condition.
  public Fault where(Predicate<TrafficTotals> condition) {
    return new Fault(effect, probability, atMost, concerns.and(condition));
  }
}
