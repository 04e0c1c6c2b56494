// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A map with a bounded number of entries: each of the first keys has its own value, and all later
/// keys share one. Limits the number of time series of a metric, whatever its labels. Thread-safe.
///
/// @param <K> the type of the keys; their `toString` is the label
/// @param <V> the type of the values
public final class Bounded<K, V> {
  /// The label of all keys beyond the maximum.
  static final String OTHER = "other";

  private final int most;
  private final Function<String, V> make;
  private final Map<K, V> values = new ConcurrentHashMap<>();
  private @Nullable V other;

  /// @param most the maximum number of keys with a separate value
  /// @param make creates the value for a label, which is the key as a string or [#OTHER]
  public Bounded(int most, Function<String, V> make) {
    this.most = most;
    this.make = make;
  }

  /// Returns the value of this key, creating it if needed. If the map is full, returns the shared
  /// value for a new key.
  public V get(K key) {
    V known = values.get(key);
    return known != null ? known : add(key);
  }

  private synchronized V add(K key) {
    if (values.size() < most || values.containsKey(key)) {
      return values.computeIfAbsent(key, it -> make.apply(it.toString()));
    }
    V shared = other == null ? make.apply(OTHER) : other;
    other = shared;
    return shared;
  }
}
