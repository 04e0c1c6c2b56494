// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The objects that a worker's verticle provides for others to call, by type. A call that arrives
/// before the verticle has put the object waits for it.
public final class WorkerObjects {
  private final Map<Class<?>, Promise<Object>> objects = new ConcurrentHashMap<>();

  private WorkerObjects() {}

  /// Provides an object to calls. At most once per type.
  public static <T> void put(Rpc rpc, Class<T> type, T object) {
    promise(rpc, type).complete(object);
  }

  /// Waits until there is an object of this type and returns it. Blocks: not for event loops.
  public static <T> T await(Rpc rpc, Class<T> type) {
    return type.cast(promise(rpc, type).future().await());
  }

  /// Returns the object of this type, if it has been put.
  public static <T> Optional<T> find(Rpc rpc, Class<T> type) {
    return Optional.ofNullable(promise(rpc, type).future().result()).map(type::cast);
  }

  private static Promise<Object> promise(Rpc rpc, Class<?> type) {
    return rpc.shared(WorkerObjects.class, WorkerObjects::new)
        .objects
        .computeIfAbsent(type, _ -> Promise.promise());
  }
}
