// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The classes that a worker can decode, and the layout of their instances. The encoding has no
/// field names, so a different order of two fields of the same type would cause no error.
///
/// @param fingerprint differs whenever any class differs
/// @param each the fingerprint of each class, by class name; empty if only the total fingerprint is
///     known
public record Schemas(String fingerprint, SortedMap<String, String> each) {
  private static final int FINGERPRINT_BYTES = 6;

  /// Copies the map.
  public Schemas {
    each = Collections.unmodifiableSortedMap(new TreeMap<>(each));
  }

  static Schemas of(List<Class<?>> types) {
    SortedMap<String, String> each = new TreeMap<>();
    types.forEach(type -> each.put(type.getName(), digest(form(type))));
    return new Schemas(digest(each.toString()), each);
  }

  /// Describes everything that determines the meaning of an instance's bytes: the components of a
  /// record or the constants of an enum, in order, or the fields of any other class.
  static String form(Class<?> type) {
    if (type.isRecord()) {
      return Arrays.stream(type.getRecordComponents())
          .map(Schemas::form)
          .collect(Collectors.joining(", ", "record(", ")"));
    }
    return type.isEnum() ? "enum" + constants(type) : "class" + fields(type);
  }

  private static String form(RecordComponent component) {
    return component.getGenericType().getTypeName() + " " + component.getName();
  }

  /// Returns the names of the constants, whatever their `toString` returns.
  private static List<String> constants(Class<?> type) {
    return Stream.of(type.getEnumConstants()).map(constant -> ((Enum<?>) constant).name()).toList();
  }

  /// Returns the fields, sorted because the JDK does not specify their order.
  private static List<String> fields(Class<?> type) {
    List<String> fields = new ArrayList<>();
    for (Class<?> from = type; from != null; from = from.getSuperclass()) {
      Stream.of(from.getDeclaredFields())
          .filter(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
          .sorted(Comparator.comparing(Field::getName))
          .forEach(
              field -> fields.add(field.getGenericType().getTypeName() + " " + field.getName()));
    }
    return fields;
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// Describes the first difference between another worker's classes and these, or returns null if
  /// there is none.
  ///
  /// @param worker the name of the other worker
  public @Nullable String difference(String worker, Schemas other) {
    if (other.fingerprint.equals(fingerprint)) {
      return null;
    }
    for (String type : all(other)) {
      String here = each.get(type);
      String there = other.each.get(type);
      if (here == null) {
        return worker + " sends " + type + ", which no WireTypes service of this worker names";
      }
      if (there == null) {
        return worker + " has no " + type + " in a WireTypes service, but this worker does";
      }
      if (!here.equals(there)) {
        return type
            + " of "
            + worker
            + " differs from this worker's class of that name: fields or constants differ";
      }
    }
    return worker + " knows other types than this worker";
  }

  private Iterable<String> all(Schemas other) {
    return other.each.isEmpty()
        ? List.of()
        : Stream.concat(each.keySet().stream(), other.each.keySet().stream()).sorted().toList();
  }
}
