// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Wakes threads of this process when what they wait for has arrived on a connection: a chunk or a
/// free slot.
public final class WaitSignals {
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<Long, Thread> waiting = new ConcurrentHashMap<>();

  /// Creates an instance with no waiting threads.
  public WaitSignals() {}

  /// Wakes the thread that waits for `key`. If that thread is just about to park, its call to park
  /// returns at once.
  public void signal(long key) {
    Thread thread = waiting.get(key);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /// Registers this thread as waiting for `key`. If two threads wait for the same key, one of them
  /// is not woken, but polls again within a millisecond.
  ///
  /// @param afterwards runs when the wait is closed
  public IdleStrategy await(long key, Runnable afterwards) {
    Thread self = Thread.currentThread();
    waiting.put(key, self);
    return new IdleStrategy() {
      @Override
      public void reset() {}

      @Override
      public void idle() {
        LockSupport.parkNanos(LONGEST);
      }

      @Override
      public void close() {
        waiting.remove(key, self);
        afterwards.run();
      }
    };
  }
}
