// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Starts a program on a suitable JDK, whichever `java` the user ran.
@NullMarked
module dev.tensorbus.launch {
  requires static org.jspecify;

  exports dev.tensorbus.launch;
}
