// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

/// Does nothing: the thread sleeps by itself, as an event loop does in its selector.
final class NoIdleStrategy implements IdleStrategy {
  @Override
  public void idle() {}

  @Override
  public void reset() {}
}
