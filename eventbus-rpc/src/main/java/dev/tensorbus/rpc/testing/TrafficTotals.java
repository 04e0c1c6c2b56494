// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

/// The sender, receiver, kind and function of a message, by which a [Fault] selects messages.
///
/// @param from the worker that sends the message
/// @param to the worker that receives the message
/// @param kind the kind of the message: `request`, `response`, `cancel`, `release`; in a
///     [Simulation], the simple name of its class
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
