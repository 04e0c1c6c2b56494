// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.wire.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The version of Tensorbus in this process, read the same way from class directories, JARs and
/// modules.
final class Version {
  private Version() {}

  /// Returns the release and the protocol version as a string.
  static String text() {
    // Not read from the manifest, which named modules do not expose.
    try (InputStream in = Rpc.class.getResourceAsStream("version.txt")) {
      byte[] bytes = Objects.requireNonNull(in, "version.txt").readAllBytes();
      String version = new String(bytes, StandardCharsets.UTF_8).strip();
      return "Tensorbus " + version + " (protocol " + Frame.VERSION + ")";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns a program's name and its version of Tensorbus, which workers compare and print.
  static String of(String program) {
    return program.isEmpty() ? text() : program + " on " + text();
  }
}
