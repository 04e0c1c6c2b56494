// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/// Everything that a voter needs from its process, or from a simulation: an executor that runs one
/// task after another, time, random numbers, and messages to other voters.
interface VoterHost extends Executor {
  /// Returns the time of a monotonic clock. Any thread may call it.
  long nanoTime();

  /// Runs a task on this executor after a delay.
  void after(long nanos, Runnable task);

  /// Returns the source of random numbers.
  RandomGenerator random();

  /// Sends a message to the current incarnation of a worker. Messages may be lost.
  void send(String voter, VoterMessage message);

  /// Reports a condition that somebody should change, in one line.
  void warn(String line);
}
