// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/// Reads the values of Hazelcast's maps one by one. Another member may have stored something that
/// cannot be read, which must not prevent reading the rest.
public final class ReadableValues {
  private static final System.Logger LOG = System.getLogger(ReadableValues.class.getName());

  private ReadableValues() {}

  /// Returns the values that can be read.
  ///
  /// @param values a Hazelcast collection, which decodes each value during iteration
  public static <T> List<T> of(Collection<T> values) {
    List<T> readable = new ArrayList<>();
    Iterator<T> iterator = values.iterator();
    while (iterator.hasNext()) {
      try {
        readable.add(iterator.next());
      } catch (HazelcastSerializationException e) {
        LOG.log(Level.DEBUG, "left out: {0}", e.getMessage()); // NamedClasses reports the class
      }
    }
    return readable;
  }
}
