// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Passes a JVM's standard error on without the one line that no flag turns off.
public final class ErrorStream {
  private static final String NOISE = "WARNING: Using incubator modules: jdk.incubator.vector";
  private static final byte[] NOISE_BYTES = NOISE.getBytes(StandardCharsets.US_ASCII);

  private ErrorStream() {}

  /// Whether the JVM said this line, which tells a user nothing.
  public static boolean isNoise(String line) {
    return line.equals(NOISE);
  }

  /// Copies line by line, bytes as they are, until the stream ends.
  static void copy(InputStream from, OutputStream to) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = from.read(); next >= 0; next = from.read()) {
      line.write(next);
      if (next == '\n') {
        pass(line, to);
      }
    }
    pass(line, to);
  }

  private static void pass(ByteArrayOutputStream line, OutputStream to) throws IOException {
    byte[] bytes = line.toByteArray();
    line.reset();
    if (!isNoise(bytes)) {
      to.write(bytes);
      to.flush();
    }
  }

  private static boolean isNoise(byte[] line) {
    int length = line.length;
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
      length--;
    }
    return Arrays.equals(line, 0, length, NOISE_BYTES, 0, NOISE_BYTES.length);
  }
}
