// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// Checks whether this JVM allows Tensorbus to call native functions.
///
/// @param isAllowed whether `--enable-native-access` allows it
record NativeAccessCheck(boolean isAllowed) implements Check {
  static NativeAccessCheck here() {
    return new NativeAccessCheck(NativeAccessCheck.class.getModule().isNativeAccessEnabled());
  }

  @Override
  public Finding finding() {
    return isAllowed
        ? Finding.ok("allowed: vector loads are aligned with cache lines")
        : Finding.weak(
            "denied: vector loads cross cache lines, and the JVM prints warnings; start programs"
                + " with tensorbus, or add --enable-native-access=ALL-UNNAMED");
  }
}
