// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/// Writes [JSON lines](https://jsonlines.org): an object for each addition, such as
/// `{"time":"2026-11-25T13:04:39Z","step":7,"loss":0.25}`. A value that is not finite is null,
/// because JSON has no number for it.
public final class JsonLinesWriter extends ScalarWriter {
  /// Begins the file, or goes on at the end of one that is there.
  ///
  /// @throws java.io.UncheckedIOException if it cannot be written
  public JsonLinesWriter(Path file) {
    super(file);
  }

  @Override
  byte[] encode(Instant time, Map<String, Double> values, long step) {
    JsonObject line = new JsonObject().put("time", time).put("step", step);
    values.forEach((tag, value) -> line.put(tag, Double.isFinite(value) ? value : null));
    return (line.encode() + "\n").getBytes(UTF_8);
  }
}
