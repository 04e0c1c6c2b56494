// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Wakes waiting threads of this process when a connection's reader has something for them.
public final class WaitSignals {
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<Long, Thread> waiting = new ConcurrentHashMap<>();

  /// Nobody waits yet.
  public WaitSignals() {}

  /// Wakes the thread that waits for `key`. A thread that is about to park does not.
  public void signal(long key) {
    Thread thread = waiting.get(key);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /// Lets this thread wait for `key`. If two threads wait for one key, one of them is not woken
  /// and finds out a little later.
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
