// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Starts a program on a JDK that can run it, from whatever `java` was typed.
@NullMarked
module dev.tensorbus.launch {
  requires static org.jspecify;

  exports dev.tensorbus.launch;
}
