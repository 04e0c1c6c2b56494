// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The listeners for one kind of event, in the order in which they were added. If one throws, the
/// exception is logged and the others are still notified. Thread-safe.
///
/// @param <E> the type of the events
public final class Listeners<E> {
  private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

  private final List<Consumer<E>> all = new CopyOnWriteArrayList<>();

  /// Creates an empty list.
  public Listeners() {}

  /// Adds a listener.
  public void add(Consumer<E> listener) {
    all.add(listener);
  }

  /// Removes a listener.
  public void remove(Consumer<E> listener) {
    all.remove(listener);
  }

  /// Returns whether there are no listeners.
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /// Notifies all listeners on this thread.
  public void tell(E event) {
    for (Consumer<E> listener : all) {
      try {
        listener.accept(event);
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "the listener " + listener + " failed at " + event, e);
      }
    }
  }
}
