// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A remote call: a function, its arguments and options.
///
/// @param <R> the type of the result
/// @param function the function to run
/// @param arguments the arguments, starting with the receiver of an instance method
/// @param options the options of the call
public record Call<R>(
    FunctionName function, List<@Nullable Object> arguments, CallOptions options) {
  /// Creates a call of the method that a method reference names.
  public static <R> Call<R> of(RemoteFunction function, @Nullable Object... arguments) {
    return new Call<>(
        FunctionName.of(function),
        Collections.unmodifiableList(Arrays.asList(arguments)),
        CallOptions.DEFAULT);
  }

  /// Creates a call of a method that is named by a string: the class name as [Class#getName]
  /// returns it, a dot, and the method name, or `new` for a constructor. For example,
  /// `dev.example.Server.update` or `dev.example.Server.new`.
  ///
  /// @throws IllegalArgumentException if the string is not such a name
  public static <R> Call<R> named(String function, @Nullable Object... arguments) {
    return new Call<>(
        FunctionName.parse(function),
        Collections.unmodifiableList(Arrays.asList(arguments)),
        CallOptions.DEFAULT);
  }

  /// Returns a copy with these options. Options that `other` leaves at their defaults are not
  /// changed.
  public Call<R> with(CallOptions other) {
    return new Call<>(function, arguments, other.over(options));
  }

  /// Returns a copy in which `others` replace the options that are at their defaults.
  Call<R> orElse(CallOptions others) {
    return new Call<>(function, arguments, options.over(others));
  }
}
