// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

/// Binds values to a thread while it runs code.
@FunctionalInterface
public interface Binding {
  /// Runs `body` on this thread.
  void run(Runnable body);
}
