// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

/// An agent, by whatever way it answers its observers.
interface Player extends AutoCloseable {
  /// Lets every observer play one episode, and waits.
  void runEpisode();

  /// Learns from the episode and gives the lowest reward.
  float finishEpisode();

  /// Gives up what observers know it by.
  @Override
  void close();
}
