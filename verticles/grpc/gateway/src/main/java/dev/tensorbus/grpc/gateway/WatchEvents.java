// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.v1.WatchResponse;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Publishes events to watchers. A slow watcher never blocks the publisher.
final class WatchEvents {
  private static final WatchResponse END = WatchResponse.newBuilder().setMissed(1).build();

  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /// Publishes an event to all watchers.
  void tell(WatchResponse event) {
    watchers.forEach(watcher -> watcher.tell(event));
  }

  /// Adds a watcher.
  Watcher watch() {
    Watcher watcher = new Watcher();
    watchers.add(watcher);
    if (isClosed) {
      watcher.end();
    }
    return watcher;
  }

  /// Ends all streams of events. Each watcher still receives the events that are in its queue.
  void close() {
    isClosed = true;
    watchers.forEach(Watcher::end);
  }

  /// A watcher and its queue of events. Closing it ends the subscription.
  final class Watcher implements AutoCloseable {
    static final int CAPACITY = 256;

    private final BlockingQueue<WatchResponse> queue = new LinkedBlockingQueue<>();
    private long missed;

    private synchronized void tell(WatchResponse event) {
      if (queue.size() < CAPACITY) {
        queue.add(missed == 0 ? event : event.toBuilder().setMissed(missed).build());
        missed = 0;
      } else {
        missed++;
      }
    }

    private synchronized void end() {
      if (missed > 0) {
        queue.add(WatchResponse.newBuilder().setMissed(missed).build());
      }
      queue.add(END);
    }

    /// Returns the next event, or null at the end. Blocks.
    @SuppressWarnings("ReferenceEquality") // END is a single object
    @Nullable WatchResponse next() throws InterruptedException {
      WatchResponse event = queue.take();
      return event == END ? null : event;
    }

    @Override
    public void close() {
      watchers.remove(this);
    }
  }
}
