// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The objects of a worker, by type. The worker's verticle puts them here for its static remote
/// methods. If such a method is called earlier, it waits for its object.
public final class WorkerObjects {
  private final Map<Class<?>, Promise<Object>> objects = new ConcurrentHashMap<>();

  private WorkerObjects() {}

  /// Adds an object. Must be called at most once per type.
  public static <T> void put(Rpc rpc, Class<T> type, T object) {
    promise(rpc, type).complete(object);
  }

  /// Returns the object of this type, waiting until it has been added. Blocks; must not be called
  /// on an event loop.
  public static <T> T await(Rpc rpc, Class<T> type) {
    return type.cast(promise(rpc, type).future().await());
  }

  /// Returns the object of this type, if it has been added already.
  public static <T> Optional<T> find(Rpc rpc, Class<T> type) {
    return Optional.ofNullable(promise(rpc, type).future().result()).map(type::cast);
  }

  private static Promise<Object> promise(Rpc rpc, Class<?> type) {
    return rpc.shared(WorkerObjects.class, WorkerObjects::new)
        .objects
        .computeIfAbsent(type, _ -> Promise.promise());
  }
}
