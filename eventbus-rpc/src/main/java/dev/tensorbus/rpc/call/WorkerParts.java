// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.FunctionName;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The objects of one worker that its remote calls look up by type: the parts that handle control
/// calls, and the objects of users ([dev.tensorbus.rpc.Rpc#shared]).
public final class WorkerParts {
  private final Map<Class<?>, Object> byType = new ConcurrentHashMap<>();
  private final Set<String> control = ConcurrentHashMap.newKeySet();

  /// Creates an empty set of parts.
  public WorkerParts() {}

  /// Adds the part of this type.
  public <T> void add(Class<T> type, T part) {
    byType.put(type, part);
  }

  /// Registers the classes whose remote methods are Tensorbus's own control calls.
  public void addControl(Class<?>... handlers) {
    for (Class<?> handler : handlers) {
      control.add(handler.getName());
    }
  }

  /// Returns whether a name is, if anything, one of Tensorbus's own control calls. The class that
  /// it names need not exist.
  public boolean isControl(FunctionName function) {
    return control.contains(function.type());
  }

  /// Returns the part of this type.
  ///
  /// @throws IllegalStateException if there is none
  public <T> T get(Class<T> type) {
    Object part = byType.get(type);
    if (part == null) {
      throw new IllegalStateException("this worker has no " + type.getSimpleName());
    }
    return type.cast(part);
  }

  /// Returns the part of this type, created by the first caller.
  public <T> T getOrCreate(Class<T> type, Supplier<T> first) {
    Object known = byType.get(type);
    return type.cast(known != null ? known : byType.computeIfAbsent(type, key -> first.get()));
  }
}
