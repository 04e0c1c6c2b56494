// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.Startup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;

/// The main of a process that runs a class of the user's: it ends with the launcher, and when the
/// class's own main throws.
public final class WorkerMain {
  private WorkerMain() {}

  /// Runs the class.
  ///
  /// @param arguments the name of the class, and what its main is given
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Startup.begin();
    Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
    main.setAccessible(true); // neither it nor the class need be public
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      Objects.requireNonNull(e.getCause()).printStackTrace();
      System.exit(Failure.FAILED); // threads that it has left behind would keep the process
    }
  }
}
