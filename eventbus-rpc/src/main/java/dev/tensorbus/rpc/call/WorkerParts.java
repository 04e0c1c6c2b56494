// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.FunctionName;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The components of one worker, by type: those that the handlers of control calls need, and the
/// objects that users' remote methods share ([dev.tensorbus.rpc.Rpc#shared]).
public final class WorkerParts {
  private final Map<Class<?>, Object> byType = new ConcurrentHashMap<>();
  private final Set<String> control = ConcurrentHashMap.newKeySet();

  /// Creates an empty registry of components.
  public WorkerParts() {}

  /// Registers a component under its type.
  public <T> void add(Class<T> type, T part) {
    byType.put(type, part);
  }

  /// Registers the classes whose remote methods are Tensorbus's own control calls.
  public void addControl(Class<?>... handlers) {
    for (Class<?> handler : handlers) {
      control.add(handler.getName());
    }
  }

  /// Returns whether a function belongs to a class that was registered with [#addControl]. The
  /// function need not exist.
  public boolean isControl(FunctionName function) {
    return control.contains(function.type());
  }

  /// Returns the component of this type.
  ///
  /// @throws IllegalStateException if this worker has no such component
  public <T> T get(Class<T> type) {
    Object part = byType.get(type);
    if (part == null) {
      throw new IllegalStateException("this worker has no " + type.getSimpleName());
    }
    return type.cast(part);
  }

  /// Returns the component of this type, creating it if there is none.
  public <T> T getOrCreate(Class<T> type, Supplier<T> first) {
    Object known = byType.get(type);
    return type.cast(known != null ? known : byType.computeIfAbsent(type, key -> first.get()));
  }
}
