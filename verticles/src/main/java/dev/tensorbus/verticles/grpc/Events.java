// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.grpc.v1.WatchResponse;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Tells watchers what happens. Whoever tells is never held up by a watcher that is slow.
final class Events {
  private static final WatchResponse END = WatchResponse.newBuilder().setMissed(1).build();

  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /// Tells all who watch.
  void tell(WatchResponse event) {
    watchers.forEach(watcher -> watcher.tell(event));
  }

  /// Begins to watch.
  Watcher watch() {
    Watcher watcher = new Watcher();
    watchers.add(watcher);
    if (isClosed) {
      watcher.tell(END);
    }
    return watcher;
  }

  /// Ends all watching, after what has been told.
  void close() {
    isClosed = true;
    watchers.forEach(watcher -> watcher.tell(END));
  }

  /// One who watches. When it is closed nothing more is kept for it.
  final class Watcher implements AutoCloseable {
    private static final int CAPACITY = 256;

    private final BlockingQueue<WatchResponse> queue = new LinkedBlockingQueue<>();
    private final AtomicLong missed = new AtomicLong();

    private void tell(WatchResponse event) {
      if (isEnd(event) || queue.size() < CAPACITY) {
        queue.add(event);
      } else {
        missed.incrementAndGet();
      }
    }

    /// The next event; null at the end.
    @Nullable WatchResponse next() throws InterruptedException {
      WatchResponse event = queue.take();
      if (isEnd(event)) {
        return null;
      }
      long left = missed.getAndSet(0);
      return left == 0 ? event : event.toBuilder().setMissed(left).build();
    }

    @SuppressWarnings("ReferenceEquality") // one object marks the end
    private static boolean isEnd(WatchResponse event) {
      return event == END;
    }

    @Override
    public void close() {
      watchers.remove(this);
    }
  }
}
