// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import java.util.LinkedHashMap;
import java.util.Map;

/// Names that are over: a message that comes late must not bring one back. Remembers as many as
/// [SeenNumbers] tells calls apart, so that a later message is refused for its number. Guarded by
/// its owner.
///
/// @param <N> the names
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
