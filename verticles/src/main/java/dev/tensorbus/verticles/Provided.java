// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The objects that a worker's verticle has made for others to call, by type. A call may come
/// before the verticle has got so far: it waits.
public final class Provided {
  private final Map<Class<?>, Promise<Object>> objects = new ConcurrentHashMap<>();

  private Provided() {}

  /// Lets calls have this object. Once for each type.
  public static <T> void put(Rpc rpc, Class<T> type, T object) {
    promise(rpc, type).complete(object);
  }

  /// Gives the object of this type when it is there. Waits; not for event loops.
  public static <T> T await(Rpc rpc, Class<T> type) {
    return type.cast(promise(rpc, type).future().await());
  }

  private static Promise<Object> promise(Rpc rpc, Class<?> type) {
    return rpc.shared(Provided.class, Provided::new)
        .objects
        .computeIfAbsent(type, _ -> Promise.promise());
  }
}
