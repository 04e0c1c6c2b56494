// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.rpc;

import dev.tensorbus.rpc.Remote;

/// An object that lives on another worker.
final class Counter {
  private int count;

  @Remote
  Counter() {}

  @Remote
  synchronized int increment() {
    return ++count;
  }
}
