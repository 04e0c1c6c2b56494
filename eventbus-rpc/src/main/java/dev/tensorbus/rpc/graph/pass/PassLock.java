// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import io.vertx.core.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// A lock that allows only one thread to work for a pass.
///
/// Event loops and timer threads never wait for the lock: the thread that holds it may run a user's
/// hook, and the hook may wait for a call that only the event loop or timer can complete.
final class PassLock {
  private final PassThreads threads;
  private final ReentrantLock lock = new ReentrantLock();

  PassLock(PassThreads threads) {
    this.threads = threads;
  }

  /// Runs `body` with the lock held. Blocks until the lock is free.
  <R> R hold(Supplier<R> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /// Runs `body` with the lock held. Blocks until the lock is free.
  void runHolding(Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  /// Runs `body` with the lock held, unless another thread holds it.
  ///
  /// @return the result of `body`, or `otherwise` if `body` did not run
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

  /// Runs work that takes the lock. It runs on this thread if the thread is virtual, or if the lock
  /// is free and no user code will run, so that the work cannot block. Otherwise, it runs on a
  /// virtual thread.
  ///
  /// @param awaitsUserCode returns whether user code may run; called with the lock held
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

  /// Runs short work that takes the lock, on a virtual thread if another thread holds the lock.
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
