// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The objects of one worker that its remote calls find by their type: the parts that handle our
/// own control calls, and the objects of users ([dev.tensorbus.rpc.Rpc#shared]).
public final class WorkerParts {
  private final Map<Class<?>, Object> byType = new ConcurrentHashMap<>();

  /// No parts yet.
  public WorkerParts() {}

  /// Adds the part of this type.
  public <T> void add(Class<T> type, T part) {
    byType.put(type, part);
  }

  /// The part of this type.
  ///
  /// @throws IllegalStateException if there is none
  public <T> T get(Class<T> type) {
    Object part = byType.get(type);
    if (part == null) {
      throw new IllegalStateException("this worker has no " + type.getSimpleName());
    }
    return type.cast(part);
  }

  /// The part of this type, made by the first caller.
  public <T> T getOrCreate(Class<T> type, Supplier<T> first) {
    Object known = byType.get(type);
    return type.cast(known != null ? known : byType.computeIfAbsent(type, key -> first.get()));
  }
}
