// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.time.Duration;
import java.util.function.Predicate;

/// A fault that affects some messages on a [FaultyNetwork] or in a [Simulation]. Immutable; methods
/// such as `from` and `to` return a copy that applies to fewer messages.
///
/// ```java
/// Fault.drop(0.1).ofKind("response").from("worker1")
/// ```
///
/// @param effect what happens to a message
/// @param probability the fraction of messages that are affected, from 0 to 1
/// @param atMost the maximum delay of a message
/// @param concerns selects the messages to which the fault applies
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

  /// @throws IllegalArgumentException if the probability is invalid or `atMost` is negative
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

  /// Returns a fault that loses messages.
  public static Fault drop(double probability) {
    return of(Effect.DROP, probability, Duration.ZERO);
  }

  /// Returns a fault that loses all messages between two workers, in both directions. Neither
  /// worker is notified.
  public static Fault cut(String a, String b) {
    return drop(1).between(a, b);
  }

  /// Returns a fault that loses all messages to and from a worker, so that the worker looks frozen
  /// to all others.
  public static Fault isolate(String worker) {
    return drop(1).where(traffic -> traffic.from().equals(worker) || traffic.to().equals(worker));
  }

  /// Returns a fault that delays each message by a random time of at most `atMost`, so that
  /// messages may also overtake each other.
  public static Fault delay(double probability, Duration atMost) {
    return of(Effect.DELAY, probability, atMost);
  }

  /// Returns a fault that delivers messages twice, the second time up to 20 ms later.
  public static Fault duplicate(double probability) {
    return of(Effect.DUPLICATE, probability, BRIEFLY);
  }

  /// Returns a fault that delivers a message after the next one from the same sender to the same
  /// receiver, or after 20 ms if none has followed by then.
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

  /// Returns a copy for requests that call one function only, such as `Server.update`.
  public Fault calling(String function) {
    return where(traffic -> traffic.function().equals(function));
  }

  /// Returns a copy for messages that also satisfy this condition.
  public Fault where(Predicate<TrafficTotals> condition) {
    return new Fault(effect, probability, atMost, concerns.and(condition));
  }
}
