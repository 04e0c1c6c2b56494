// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.lang.reflect.InvocationTargetException;

/// The JDK module that contains the Vector API. It is an incubator module: a JVM that resolves it
/// at startup, by `--add-modules`, prints a warning that no flag turns off. Loading the same module
/// at run time avoids the warning; the JDK's own agents load modules this way.
final class VectorModule {
  static final String NAME = "jdk.incubator.vector";

  /// The JVM flag that allows this class to load the module; programs and tests are started with
  /// it.
  static final String FLAG = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /// The equivalent line in the manifest of a jar that is started with `java -jar`.
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
      return false; // the flag is missing, or the JDK has no such method
    }
  }
}
