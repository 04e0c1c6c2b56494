// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import io.vertx.core.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Lets one thread at a time work for a pass.
///
/// An event loop never waits for the lock. Its holder may run a user's hook, which may wait for a
/// call that only this event loop, or the clock, can complete.
final class PassLock {
  private final PassThreads threads;
  private final ReentrantLock lock = new ReentrantLock();

  PassLock(PassThreads threads) {
    this.threads = threads;
  }

  /// Runs `body` with the lock held. Blocks until it is free.
  <R> R hold(Supplier<R> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /// Runs `body` with the lock held. Blocks until it is free.
  void runHolding(Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  /// Runs `body` if no other thread works for the pass.
  ///
  /// @return its result, or the other value
  <R> R tryHold(Supplier<R> body, R otherwise) {
    if (!lock.tryLock()) {
      return otherwise;
    }
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /// Runs work that takes the lock. It runs on this thread if that is virtual, or if the work will
  /// not block, because the lock is free and no user code will run; otherwise on a virtual thread.
  ///
  /// @param awaitsUserCode called with the lock held
  <T> Future<T> run(BooleanSupplier awaitsUserCode, Supplier<Future<T>> work) {
    if (Thread.currentThread().isVirtual()) {
      return work.get();
    }
    if (lock.tryLock()) {
      try {
        if (!awaitsUserCode.getAsBoolean()) {
          return work.get();
        }
      } finally {
        lock.unlock();
      }
    }
    return threads.onVirtualThread(work);
  }

  /// Runs short work that takes the lock, on a virtual thread if the lock is held.
  void runWithoutWaiting(Runnable work) {
    if (!lock.tryLock()) {
      Future<Void> _ =
          threads.onVirtualThread(
              () -> {
                work.run();
                return Future.succeededFuture();
              });
      return;
    }
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }
}
