// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import java.util.LinkedHashMap;
import java.util.Map;

/// Remembers the names that were most recently given up, so that a late message cannot add one of
/// them again. Not thread-safe.
///
/// @param <N> the type of the names
public final class Tombstones<N> {
  private static final int REMEMBERED = 1 << 16;

  private final LinkedHashMap<N, Boolean> names =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<N, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  public void add(N name) {
    names.put(name, true);
  }

  public boolean contains(N name) {
    return names.containsKey(name);
  }
}
