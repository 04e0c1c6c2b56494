// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.launch.Jvm;
import java.lang.management.ManagementFactory;
import java.util.List;

/// Checks the JDK, and whether this JVM has the flags that the launcher passes to workers.
///
/// @param version the version of the JDK
/// @param vendor the vendor of the JDK
/// @param home the folder of the JDK
/// @param missing the launcher's flags that this JVM lacks
record JavaCheck(String version, String vendor, String home, List<String> missing)
    implements Check {
  static JavaCheck here() {
    return new JavaCheck(
        System.getProperty("java.version"),
        System.getProperty("java.vendor"),
        System.getProperty("java.home"),
        Jvm.missingFrom(ManagementFactory.getRuntimeMXBean().getInputArguments()));
  }

  @Override
  public Finding finding() {
    String jdk = "%s of %s in %s".formatted(version, vendor, home);
    return missing.isEmpty()
        ? Finding.ok(jdk + ", with the launcher's flags: runs every program")
        : Finding.weak(
            ("%s, without %d of the launcher's flags, such as %s: programs are slower and the JVM"
                    + " prints warnings; start them with tensorbus, which adds the flags")
                .formatted(jdk, missing.size(), missing.getFirst()));
  }
}
