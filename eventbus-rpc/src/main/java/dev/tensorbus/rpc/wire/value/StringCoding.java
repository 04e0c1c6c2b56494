// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import dev.tensorbus.rpc.WireException;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rejects strings in a non-canonical encoding. Fory creates a string from the received bytes in
/// the encoding that the message declares. A string with two bytes per character where the JVM uses
/// one looks right but equals no other string, so no map finds it.
final class StringCoding {
  /// Containers that were already checked, since a container may occur several times.
  private @Nullable Set<Object> seen;

  private StringCoding() {}

  /// Checks all strings in a value, including nested ones.
  ///
  /// @throws WireException if a string is not encoded as the JVM would encode it
  static void require(@Nullable Object value) {
    StringCoding coding = new StringCoding();
    if (value instanceof String text) {
      requireUsual(text);
    } else {
      coding.requireParts(ValueParts.of(value));
    }
  }

  private void requireParts(Collection<? extends @Nullable Object> parts) {
    for (Object part : parts) {
      if (part instanceof String text) {
        requireUsual(text);
      } else {
        Collection<? extends @Nullable Object> inner = ValueParts.of(part);
        if (part != null && !inner.isEmpty() && isNew(part)) {
          requireParts(inner);
        }
      }
    }
  }

  private boolean isNew(Object container) {
    if (seen == null) {
      seen = Collections.newSetFromMap(new IdentityHashMap<>());
    }
    return seen.add(container);
  }

  private static void requireUsual(String text) {
    if (!text.equals(String.valueOf(text.toCharArray()))) {
      throw new WireException(
          "a string that is not encoded as the JVM encodes it: corrupt message", null);
    }
  }
}
