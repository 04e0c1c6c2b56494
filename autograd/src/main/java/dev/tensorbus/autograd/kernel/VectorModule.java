// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.lang.reflect.InvocationTargetException;

/// The JDK's module of the Vector API. It is an incubator's: a JVM that has it from the start, by
/// `--add-modules`, prints a warning that no flag turns off. Loaded now, it is the same module
/// and gives the same code; the JDK's own agents load modules this way.
final class VectorModule {
  static final String NAME = "jdk.incubator.vector";

  /// Lets this class load the module; programs and tests are started with it.
  static final String FLAG = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /// The same for a jar that `java -jar` starts.
  static final String MANIFEST = "Add-Exports: java.base/jdk.internal.module";

  private VectorModule() {}

  /// Whether the module is there, from the start or from now on.
  static boolean isThere() {
    return ModuleLayer.boot().findModule(NAME).isPresent() || load();
  }

  private static boolean load() {
    try {
      Class.forName("jdk.internal.module.Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, NAME);
      return true;
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InvocationTargetException e) {
      return false; // not without the flag, or not on this JDK
    }
  }
}
