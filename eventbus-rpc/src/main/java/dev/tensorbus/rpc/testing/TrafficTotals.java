// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

/// A message between two workers, as a [Fault] sees it.
///
/// @param from the worker that sends it
/// @param to the worker that receives it
/// @param kind the kind of the message: `request`, `response`, `cancel`, `release`
/// @param function the function that a request calls, such as `Server.update`; empty for other
///     messages
public record TrafficTotals(String from, String to, String kind, String function) {
  boolean goes(String sender, String receiver) {
    return from.equals(sender) && to.equals(receiver);
  }

  @Override
  public String toString() {
    return from + " -> " + to + " " + kind + (function.isEmpty() ? "" : " " + function);
  }
}
