// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One call to be made: which function, with what.
///
/// @param <R> the result
/// @param function what to run
/// @param arguments its arguments; an instance method's object comes first
/// @param options how it is made
public record Call<R>(
    FunctionName function, List<@Nullable Object> arguments, CallOptions options) {
  /// Names the function that a method reference refers to.
  public static <R> Call<R> of(RemoteFunction function, @Nullable Object... arguments) {
    return new Call<>(
        FunctionName.of(function),
        Collections.unmodifiableList(Arrays.asList(arguments)),
        CallOptions.DEFAULT);
  }

  /// Names a function by its class, as [Class#getName] gives it, and the method:
  /// `dev.example.Server.update`, or `dev.example.Server.new` for the constructor.
  ///
  /// @throws IllegalArgumentException if it is no such name
  public static <R> Call<R> named(String function, @Nullable Object... arguments) {
    return new Call<>(
        FunctionName.parse(function),
        Collections.unmodifiableList(Arrays.asList(arguments)),
        CallOptions.DEFAULT);
  }

  /// Returns a copy with these options. Where they leave a default, those before stay.
  public Call<R> with(CallOptions other) {
    return new Call<>(function, arguments, other.over(options));
  }

  /// Returns a copy with these options where its own leave a default.
  Call<R> orElse(CallOptions others) {
    return new Call<>(function, arguments, options.over(others));
  }
}
