// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;

/// Writes [JSON lines](https://jsonlines.org): one object per call, such as
/// `{"time":"2026-11-25T13:04:39Z","step":7,"loss":0.25}`. A value that is not finite becomes null,
/// because JSON has no number for it.
public final class JsonLinesWriter extends ScalarWriter {
  /// Creates the file, or appends to an existing one. If a full disk has truncated its last line,
  /// starts a new line.
  ///
  /// @throws java.io.UncheckedIOException if the file cannot be written
  public JsonLinesWriter(Path file) {
    super(file, StandardOpenOption.CREATE);
    if (endsWithinALine(file)) {
      write(new byte[] {'\n'});
    }
  }

  private static boolean endsWithinALine(Path file) {
    if (!Files.isRegularFile(file)) {
      return false; // a pipe or a device has no readable end
    }
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  byte[] encode(Instant time, Map<String, Double> values, long step) {
    JsonObject line = new JsonObject().put("time", time).put("step", step);
    values.forEach((tag, value) -> line.put(tag, Double.isFinite(value) ? value : null));
    return (line.encode() + "\n").getBytes(UTF_8);
  }
}
