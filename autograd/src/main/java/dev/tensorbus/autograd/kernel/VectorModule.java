// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.lang.reflect.InvocationTargetException;

/// The JDK's module of the Vector API. It is an incubator module: a JVM that resolves it at
/// startup, by `--add-modules`, prints a warning that no flag turns off. Loading it at run time
/// gives the same module and the same code; the JDK's own agents load modules this way.
final class VectorModule {
  static final String NAME = "jdk.incubator.vector";

  /// The flag that lets this class load the module; programs and tests are started with it.
  static final String FLAG = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /// The equivalent for a jar that `java -jar` starts.
  static final String MANIFEST = "Add-Exports: java.base/jdk.internal.module";

  private VectorModule() {}

  /// Returns whether the module is available, loading it if necessary.
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
