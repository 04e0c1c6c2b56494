// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The objects that a worker's verticle has made for others to call, by type. A call may come
/// before the verticle has got so far: it waits.
public final class WorkerObjects {
  private final Map<Class<?>, Promise<Object>> objects = new ConcurrentHashMap<>();

  private WorkerObjects() {}

  /// Lets calls have this object. Once for each type.
  public static <T> void put(Rpc rpc, Class<T> type, T object) {
    promise(rpc, type).complete(object);
  }

  /// Gives the object of this type when it is there. Waits; not for event loops.
  public static <T> T await(Rpc rpc, Class<T> type) {
    return type.cast(promise(rpc, type).future().await());
  }

  /// The object of this type, if it is there already.
  public static <T> Optional<T> find(Rpc rpc, Class<T> type) {
    return Optional.ofNullable(promise(rpc, type).future().result()).map(type::cast);
  }

  private static Promise<Object> promise(Rpc rpc, Class<?> type) {
    return rpc.shared(WorkerObjects.class, WorkerObjects::new)
        .objects
        .computeIfAbsent(type, _ -> Promise.promise());
  }
}
