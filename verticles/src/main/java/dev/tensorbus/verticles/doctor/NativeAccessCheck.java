// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// Whether this JVM lets our code call C's functions.
///
/// @param isAllowed by `--enable-native-access`
record NativeAccessCheck(boolean isAllowed) implements Check {
  static NativeAccessCheck here() {
    return new NativeAccessCheck(NativeAccessCheck.class.getModule().isNativeAccessEnabled());
  }

  @Override
  public Finding finding() {
    return isAllowed
        ? Finding.ok("allowed: vectors load whole cache lines")
        : Finding.weak(
            "denied: vectors load parts of cache lines, and the JVM warns; start programs by"
                + " tensorbus, or add --enable-native-access=ALL-UNNAMED");
  }
}
