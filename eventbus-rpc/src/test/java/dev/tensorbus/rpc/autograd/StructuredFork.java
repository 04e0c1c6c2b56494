// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import java.util.concurrent.Callable;

/// One fork of a `StructuredTaskScope`. JDK 25 has the class as a preview, which javac takes only
/// with a flag. Hence reflection.
final class StructuredFork {
  private StructuredFork() {}

  /// The result of a task that a fork of this thread runs.
  @SuppressWarnings("unchecked")
  static <R> R call(Callable<R> task) throws Exception {
    Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
    try (var scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
      Object fork = type.getMethod("fork", Callable.class).invoke(scope, task);
      type.getMethod("join").invoke(scope);
      return (R)
          Class.forName("java.util.concurrent.StructuredTaskScope$Subtask")
              .getMethod("get")
              .invoke(fork);
    }
  }
}
