// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.slot.SlotMap;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hashes of messages that are the same in every JVM. They cover all values, tensors included, and
/// do not depend on the order of a set or map, which may differ between JVMs.
final class ContentHash {
  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          RecordComponent[] components = type.getRecordComponents();
          Arrays.stream(components)
              .forEach(component -> component.getAccessor().setAccessible(true));
          return components;
        }
      };

  private ContentHash() {}

  /// Returns the hash of a message.
  ///
  /// @throws IllegalArgumentException if a part of it has no hash that is the same in every JVM
  static long of(@Nullable Object content) {
    return switch (content) {
      case null -> 0;
      case String text -> text.hashCode();
      case Enum<?> value -> value.name().hashCode();
      case Number number -> number.hashCode();
      case Boolean bool -> bool.hashCode();
      case Tensor tensor -> Arrays.hashCode(tensor.values());
      case SlotMap map ->
          mixed(map.replicas().hashCode(), map.epoch()); // records of texts, numbers
      case Throwable error -> error.toString().hashCode();
      case Set<?> set -> set.stream().mapToLong(ContentHash::of).map(one -> mixed(1, one)).sum();
      case Map<?, ?> map ->
          map.entrySet().stream()
              .mapToLong(entry -> mixed(of(entry.getKey()), of(entry.getValue())))
              .sum();
      case Collection<?> list ->
          list.stream().mapToLong(ContentHash::of).reduce(1, ContentHash::mixed);
      case Record data -> ofRecord(data);
      default ->
          throw new IllegalArgumentException(
              content.getClass() + "; expected records, collections, texts, numbers or tensors");
    };
  }

  private static long ofRecord(Record data) {
    long hash = data.getClass().getName().hashCode();
    try {
      for (RecordComponent component : COMPONENTS.get(data.getClass())) {
        hash = mixed(hash, of(component.getAccessor().invoke(data)));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot read a " + data.getClass(), e);
    }
    return hash;
  }

  private static long mixed(long hash, long value) {
    long bits = (hash ^ value) * 0x9e3779b97f4a7c15L + value;
    return bits ^ (bits >>> 32);
  }
}
