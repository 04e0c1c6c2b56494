// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Wakes threads of this process for what the one hears that reads a connection.
final class Bell {
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<Long, Thread> waiting = new ConcurrentHashMap<>();

  /// Something has happened to what `key` stands for. Whoever was about to sleep does not.
  void ring(long key) {
    Thread thread = waiting.get(key);
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /// Lets this thread wait for what `key` stands for. Should another wait for the same, one of
  /// them is not woken and finds out a little later.
  ///
  /// @param afterwards is run when it waits no more
  Pause pause(long key, Runnable afterwards) {
    Thread self = Thread.currentThread();
    waiting.put(key, self);
    return new Pause() {
      @Override
      public void reset() {}

      @Override
      public void take() {
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
