// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.Startup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;

/// The main class of a process that runs the user's class. The process also ends when its launcher
/// ends, or when the `main` of the user's class throws an exception.
public final class WorkerMain {
  private WorkerMain() {}

  /// Runs the user's class.
  ///
  /// @param arguments the name of the class, then the arguments of its main
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Startup.begin();
    Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
    main.setAccessible(true); // the class and its main may be non-public
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      Objects.requireNonNull(e.getCause()).printStackTrace();
      System.exit(Failure.FAILED); // the user's threads could keep the process alive
    }
  }
}
