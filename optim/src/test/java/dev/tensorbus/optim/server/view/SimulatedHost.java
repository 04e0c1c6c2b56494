// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.rpc.testing.SimulatedNode;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// What a voter on a [SimulatedNode] needs.
///
/// @param warnings receives the lines that a person should see
record SimulatedHost(SimulatedNode node, Consumer<String> warnings) implements VoterHost {
  @Override
  public void execute(Runnable task) {
    node.execute(task);
  }

  @Override
  public long nanoTime() {
    return node.clock().nanoTime();
  }

  @Override
  public void after(long nanos, Runnable task) {
    node.clock().after(nanos, task);
  }

  @Override
  public RandomGenerator random() {
    return node.random();
  }

  @Override
  public void send(String voter, VoterMessage message) {
    node.send(voter, message);
  }

  @Override
  public void warn(String line) {
    warnings.accept(line);
  }
}
