// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.Future;
import io.vertx.core.shareddata.Counter;
import java.util.concurrent.atomic.AtomicLong;

/// A counter of a [MemoryCluster], as one node sees it.
///
/// @param node the node that uses it
/// @param value the value, shared by all nodes
record MemoryCounter(MemoryNode node, AtomicLong value) implements Counter {
  @Override
  public Future<Long> get() {
    return node.later(value::get);
  }

  @Override
  public Future<Long> incrementAndGet() {
    return addAndGet(1);
  }

  @Override
  public Future<Long> getAndIncrement() {
    return getAndAdd(1);
  }

  @Override
  public Future<Long> decrementAndGet() {
    return addAndGet(-1);
  }

  @Override
  public Future<Long> addAndGet(long amount) {
    return node.later(() -> value.addAndGet(amount));
  }

  @Override
  public Future<Long> getAndAdd(long amount) {
    return node.later(() -> value.getAndAdd(amount));
  }

  @Override
  public Future<Boolean> compareAndSet(long expected, long replacement) {
    return node.later(() -> value.compareAndSet(expected, replacement));
  }
}
