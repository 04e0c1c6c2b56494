// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;

/// Writes the JSON object at the start of a file.
final class HeaderWriter {
  /// The offset of the data is a multiple of this, so that readers can use the data in place.
  private static final int ALIGNMENT = 8;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION).build();

  private HeaderWriter() {}

  /// Returns the header, padded with spaces. Its metadata says that torch wrote the values, because
  /// some readers, such as Hugging Face's, require this.
  static byte[] bytes(Collection<Entry> entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeObjectFieldStart(HeaderReader.METADATA);
      json.writeStringField("format", "pt");
      json.writeEndObject();
      for (Entry entry : entries) {
        write(json, entry);
      }
      json.writeEndObject();
    }
    while (bytes.size() % ALIGNMENT != 0) {
      bytes.write(' ');
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, Entry entry) throws IOException {
    if (!UTF_8.newEncoder().canEncode(entry.name())) {
      throw new SafetensorsException(
          "the tensor name \"%s\" contains an unpaired surrogate and cannot be written as UTF-8"
              .formatted(entry.name()));
    }
    long[] sizes = entry.sizes().stream().mapToLong(Long::longValue).toArray();
    json.writeObjectFieldStart(entry.name());
    json.writeStringField("dtype", entry.dtype());
    json.writeFieldName("shape");
    json.writeArray(sizes, 0, sizes.length);
    json.writeFieldName("data_offsets");
    json.writeArray(new long[] {entry.begin(), entry.end()}, 0, 2);
    json.writeEndObject();
  }
}
