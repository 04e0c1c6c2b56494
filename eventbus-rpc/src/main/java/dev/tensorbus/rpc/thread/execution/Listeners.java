// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The listeners for one kind of event, in the order in which they were added. If one throws, that
/// is logged, and all others still hear of the event. May be used on any thread.
///
/// @param <E> the event
public final class Listeners<E> {
  private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

  private final List<Consumer<E>> all = new CopyOnWriteArrayList<>();

  /// Nobody yet.
  public Listeners() {}

  /// Lets one more hear of what comes.
  public void add(Consumer<E> listener) {
    all.add(listener);
  }

  /// Lets one hear no more.
  public void remove(Consumer<E> listener) {
    all.remove(listener);
  }

  /// Whether nobody would hear.
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /// Tells all, on this thread.
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
