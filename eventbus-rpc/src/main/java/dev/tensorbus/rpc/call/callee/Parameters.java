// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.FunctionName;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The parameters of a function. Arguments are checked against them, because callers may name
/// functions by strings, which no compiler checks.
///
/// @param function the function's name
/// @param types the types of its arguments, including the receiver of an instance method
/// @param isVarargs whether the last parameter is an array that any number of arguments may replace
record Parameters(FunctionName function, List<Class<?>> types, boolean isVarargs) {
  /// Converts the arguments to the function's types.
  ///
  /// @throws IllegalArgumentException if there are too few or too many arguments, or one has the
  ///     wrong type
  @Nullable Object[] fit(@Nullable Object[] arguments) {
    @Nullable Object[] all = isVarargs && !endsInArray(arguments) ? packed(arguments) : arguments;
    if (all.length != types.size()) {
      throw refusal(
          arguments.length == 1 ? "got 1 argument" : "got " + arguments.length + " arguments");
    }
    for (int i = 0; i < all.length; i++) {
      if (!takes(types.get(i), all[i])) {
        throw refusal("argument " + (i + 1) + " is " + described(all[i]));
      }
    }
    return all;
  }

  private boolean endsInArray(@Nullable Object[] arguments) {
    int last = types.size() - 1;
    return arguments.length == types.size()
        && (arguments[last] == null || types.get(last).isInstance(arguments[last]));
  }

  private @Nullable Object[] packed(@Nullable Object[] arguments) {
    int first = types.size() - 1;
    if (arguments.length < first) {
      return arguments;
    }
    Class<?> component = types.get(first).getComponentType();
    Object rest = Array.newInstance(component, arguments.length - first);
    for (int i = first; i < arguments.length; i++) {
      if (!takes(component, arguments[i])) {
        throw refusal("argument " + (i + 1) + " is " + described(arguments[i]));
      }
      Array.set(rest, i - first, arguments[i]);
    }
    @Nullable Object[] packed = Arrays.copyOf(arguments, types.size());
    packed[first] = rest;
    return packed;
  }

  private static boolean takes(Class<?> type, @Nullable Object argument) {
    if (argument == null) {
      return !type.isPrimitive();
    }
    return type.isPrimitive()
        ? MethodType.methodType(type).wrap().returnType() == argument.getClass()
            || isWider(type, argument)
        : type.isInstance(argument);
  }

  /// Returns whether Java converts the argument to the primitive type without a cast, such as an
  /// [Integer] to `long`.
  private static boolean isWider(Class<?> primitive, Object argument) {
    try {
      Array.set(Array.newInstance(primitive, 1), 0, argument);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String described(@Nullable Object argument) {
    return argument == null ? "null" : "of type " + argument.getClass().getTypeName();
  }

  private IllegalArgumentException refusal(String problem) {
    String list = types.stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
    String takes = isVarargs ? list.substring(0, list.length() - "[]".length()) + "..." : list;
    return new IllegalArgumentException(function + " takes (" + takes + "); " + problem);
  }
}
