// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One call to be made: which function, with what.
///
/// @param <R> the result
/// @param function what to run
/// @param arguments its arguments; an instance method's object comes first
/// @param timeout how long it may take, or null for the worker's default
public record Call<R>(
    FunctionName function, List<@Nullable Object> arguments, @Nullable Duration timeout) {
  private static final Duration NO_LIMIT = Duration.ofDays(10_000);

  /// Names the function that a method reference refers to.
  public static <R> Call<R> of(RemoteFunction function, @Nullable Object... arguments) {
    return new Call<>(
        FunctionName.of(function), Collections.unmodifiableList(Arrays.asList(arguments)), null);
  }

  /// The same call for as long as the worker lives that it goes to.
  public Call<R> withoutTimeout() {
    return withTimeout(NO_LIMIT);
  }

  /// The same call with its own time limit.
  public Call<R> withTimeout(Duration limit) {
    return new Call<>(function, arguments, limit);
  }
}
