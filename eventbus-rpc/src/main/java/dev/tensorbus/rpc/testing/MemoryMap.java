// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.Future;
import io.vertx.core.shareddata.AsyncMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A map of a [MemoryCluster], as one node sees it.
///
/// @param node the node that uses it
/// @param map the entries, shared by all nodes; thread-safe
record MemoryMap<K, V>(MemoryNode node, Map<K, V> map) implements AsyncMap<K, V> {
  @Override
  public Future<V> get(K key) {
    return node.later(() -> map.get(key));
  }

  @Override
  public Future<Void> put(K key, V value) {
    return node.later(() -> map.put(key, value)).mapEmpty();
  }

  @Override
  public Future<Void> put(K key, V value, long ttlMillis) {
    return put(key, value).onSuccess(done -> expire(key, value, ttlMillis));
  }

  @Override
  public Future<V> putIfAbsent(K key, V value) {
    return node.later(() -> map.putIfAbsent(key, value));
  }

  @Override
  public Future<V> putIfAbsent(K key, V value, long ttlMillis) {
    return putIfAbsent(key, value)
        .onSuccess(
            present -> {
              if (present == null) {
                expire(key, value, ttlMillis);
              }
            });
  }

  private void expire(K key, V value, long ttlMillis) {
    node.vertx().setTimer(ttlMillis, timer -> map.remove(key, value));
  }

  @Override
  public Future<V> remove(K key) {
    return node.later(() -> map.remove(key));
  }

  @Override
  public Future<Boolean> removeIfPresent(K key, V value) {
    return node.later(() -> map.remove(key, value));
  }

  @Override
  public Future<V> replace(K key, V value) {
    return node.later(() -> map.replace(key, value));
  }

  @Override
  public Future<Boolean> replaceIfPresent(K key, V oldValue, V newValue) {
    return node.later(() -> map.replace(key, oldValue, newValue));
  }

  @Override
  public Future<Void> clear() {
    return node.later(
        () -> {
          map.clear();
          return null;
        });
  }

  @Override
  public Future<Integer> size() {
    return node.later(map::size);
  }

  @Override
  public Future<Set<K>> keys() {
    return node.later(() -> Set.copyOf(map.keySet()));
  }

  @Override
  public Future<List<V>> values() {
    return node.later(() -> List.copyOf(map.values()));
  }

  @Override
  public Future<Map<K, V>> entries() {
    return node.later(() -> Map.copyOf(map));
  }
}
