// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.wire.GlobalId;
import java.util.LinkedHashMap;
import java.util.Map;

/// Names that are over: a message that comes late must not bring one back. Remembers as many as
/// [SeenNumbers] tells calls apart, so that a later message is refused for its number. Guarded by
/// its owner.
public final class Tombstones {
  private static final int REMEMBERED = 1 << 16;

  private final LinkedHashMap<GlobalId, Boolean> names =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GlobalId, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  public void add(GlobalId name) {
    names.put(name, true);
  }

  public boolean contains(GlobalId name) {
    return names.containsKey(name);
  }
}
