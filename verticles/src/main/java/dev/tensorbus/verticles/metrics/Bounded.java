// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Gives the first keys a value each, and all later ones one value together: a label of a metric
/// must not have a series for whatever comes. Safe on any thread.
///
/// @param <K> the key, whose text is the label
/// @param <V> the value
public final class Bounded<K, V> {
  /// The label of the keys that come too late.
  static final String OTHER = "other";

  private final int most;
  private final Function<String, V> make;
  private final Map<K, V> values = new ConcurrentHashMap<>();
  private @Nullable V other;

  /// @param most how many keys get a value of their own
  /// @param make makes the value of a label
  public Bounded(int most, Function<String, V> make) {
    this.most = most;
    this.make = make;
  }

  /// The value of this key, or the one that all later keys share.
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
