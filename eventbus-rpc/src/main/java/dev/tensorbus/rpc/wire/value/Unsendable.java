// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.fory.exception.InsecureException;
import org.jspecify.annotations.Nullable;

/// Thrown if a value within the arguments or the result of a call cannot be sent.
public final class Unsendable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String TOO_DEEP =
      "values are nested more than "
          + ValueParts.MOST_LEVELS
          + " levels deep; send a flat list whose elements refer to each other by index";

  private final int argument;
  private final String problem;

  private Unsendable(int argument, String problem, @Nullable Throwable cause) {
    super(problem, cause);
    this.argument = argument;
    this.problem = problem;
  }

  /// Finds the innermost part of a value that cannot be sent by itself.
  ///
  /// @param cause why the value could not be written, or null if it is nested too deeply or
  ///     contains code
  static Unsendable find(
      @Nullable Object value, Predicate<@Nullable Object> travels, @Nullable Throwable cause) {
    StringBuilder path = new StringBuilder();
    @Nullable Object part = value;
    int argument = 0;
    for (int level = 0; level < ValueParts.MOST_LEVELS; level++) {
      List<@Nullable Object> parts = new ArrayList<>(ValueParts.of(part));
      int wrong = 0;
      while (wrong < parts.size() && travels.test(inside(level, parts.get(wrong)))) {
        wrong++;
      }
      if (wrong == parts.size()) {
        break; // each part can be sent by itself
      }
      if (level == 0 && value instanceof Object[]) {
        argument = wrong + 1;
      } else {
        path.append(ValueParts.name(Objects.requireNonNull(part), wrong));
      }
      part = parts.get(wrong);
    }
    String where = path.isEmpty() ? "it" : "its " + path;
    boolean isTooDeep = cause == null && !ValueParts.isCode(part);
    // Fory's message adds nothing, and advises allowing all classes.
    @Nullable Throwable shown = cause instanceof InsecureException ? null : cause;
    return new Unsendable(argument, isTooDeep ? TOO_DEEP : where + " is " + advice(part), shown);
  }

  /// Wraps a part at level 0 in an array, as arguments are sent, because the array counts as a
  /// level. Returns any other part unchanged.
  private static @Nullable Object inside(int level, @Nullable Object part) {
    return level == 0 ? new @Nullable Object[] {part} : part;
  }

  /// Returns the class of the part and what to send instead.
  private static String advice(@Nullable Object part) {
    if (part == null) {
      return "null";
    }
    Class<?> type = part.getClass();
    String name = type.getTypeName();
    if (ValueParts.isCode(part)) {
      return "a lambda or method reference, and code cannot be sent; call a @Remote method instead";
    }
    if (part instanceof Map.Entry) {
      return "of type " + name + "; send Map.entry(key, value)";
    }
    if (part instanceof Collection || part instanceof Map) {
      return "of type " + name + "; send a copy made by List.copyOf, Set.copyOf or Map.copyOf";
    }
    if (type.isRecord() || part instanceof Enum) {
      Class<?> named = part instanceof Enum<?> constant ? constant.getDeclaringClass() : type;
      return ("of type %s, which no WireTypes service names; list %s.class in the types() of a"
              + " class that implements dev.tensorbus.rpc.WireTypes, name that class in"
              + " META-INF/services/dev.tensorbus.rpc.WireTypes, and merge such files if jars"
              + " are merged")
          .formatted(named.getTypeName(), named.getSimpleName());
    }
    return "of type "
        + name
        + ", which cannot be sent; send a record of its contents, whose class a WireTypes service"
        + " names, or a reference to it, rpc.rref(it)";
  }

  /// Returns the exception for an argument that cannot be sent.
  public WireException asArgumentOf(FunctionName function) {
    String which = argument == 0 ? "the arguments" : "argument " + argument;
    return new WireException("cannot send " + which + " of " + function + ": " + problem, this);
  }

  /// Returns the exception for a result that cannot be sent. The function has already run.
  public WireException asResultOf(FunctionName function) {
    return new WireException("cannot send the result of " + function + ": " + problem, this, true);
  }
}
