// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Switches ONNX Runtime's telemetry off, unless the user has set [#VARIABLE].
///
/// Since 1.29.0 its libraries for Linux and macOS send events as soon as they are initialized.
/// There, `OrtEnvironment.setTelemetry` comes too late: only this environment variable prevents the
/// events. On Windows, only `setTelemetry` does.
final class Telemetry {
  static final String VARIABLE = "ORT_DISABLE_TELEMETRY";

  private static final Logger LOG = System.getLogger(Telemetry.class.getName());

  private Telemetry() {}

  /// Returns whether the user has set the variable. If so, it is left alone.
  static boolean isDecided() {
    return System.getenv(VARIABLE) != null;
  }

  /// Sets the variable in this process. Must be called before the native library is loaded.
  static void disable() {
    try {
      setenv().ifPresent(Telemetry::set);
    } catch (IllegalCallerException e) {
      LOG.log(
          Level.WARNING,
          "ONNX Runtime may send telemetry to Microsoft, because this JVM denies the native call"
              + " that disables it; start the JVM with the environment variable "
              + VARIABLE
              + "=1, or with --enable-native-access");
    }
  }

  private static void set(MethodHandle setenv) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(VARIABLE);
      int _ = (int) setenv.invokeExact(name, arena.allocateFrom("1"), 0);
    } catch (Throwable e) {
      throw new AssertionError("setenv throws nothing", e);
    }
  }

  /// Returns the C function `setenv`; empty on Windows, where ONNX Runtime does not read the
  /// variable. If the JVM warns about native calls, it does so for ONNX Runtime's calls anyway.
  @SuppressWarnings("restricted")
  private static Optional<MethodHandle> setenv() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    return linker
        .defaultLookup()
        .find("setenv")
        .map(address -> linker.downcallHandle(address, type));
  }
}
