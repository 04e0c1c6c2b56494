// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads the JSON object at the start of a file: the type, sizes and offsets of each tensor. The
/// entry `__metadata__`, which contains arbitrary strings, is skipped.
final class HeaderReader {
  static final String METADATA = "__metadata__";

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser json;

  private HeaderReader(JsonParser json) {
    this.json = json;
  }

  /// Returns all entries in the order of the header.
  ///
  /// @throws IOException if the header is not JSON or has a duplicate name
  /// @throws SafetensorsException if the JSON is not a valid safetensors header; the message does
  ///     not contain the file name
  static List<Entry> entries(byte[] header) throws IOException {
    try (JsonParser json = JSON.createParser(header)) {
      return new HeaderReader(json).entries();
    }
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    require(json.nextToken() == JsonToken.START_OBJECT, "the header");
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      require(json.nextToken() == JsonToken.START_OBJECT, name);
      if (name.equals(METADATA)) {
        json.skipChildren();
      } else {
        entries.add(entry(name));
      }
    }
    if (json.nextToken() != null) {
      throw SafetensorsException.damaged("the header has data after its JSON object");
    }
    return entries;
  }

  private static void require(boolean isObject, String what) {
    if (!isObject) {
      throw SafetensorsException.damaged(what + " is not a JSON object");
    }
  }

  private Entry entry(String name) throws IOException {
    String dtype = null;
    List<Long> sizes = null;
    List<Long> offsets = null;
    for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      switch (field) {
        case "dtype" -> dtype = json.nextTextValue();
        case "shape" -> sizes = numbers(name, field);
        case "data_offsets" -> offsets = numbers(name, field);
        default ->
            throw SafetensorsException.damaged(name + " has an unknown field \"" + field + "\"");
      }
    }
    if (dtype == null || sizes == null || offsets == null || offsets.size() != 2) {
      throw SafetensorsException.damaged(name + " lacks dtype, shape, or the two data_offsets");
    }
    return new Entry(name, dtype, sizes, offsets.get(0), offsets.get(1));
  }

  private List<Long> numbers(String name, String field) throws IOException {
    List<Long> numbers = new ArrayList<>();
    boolean valid = json.nextToken() == JsonToken.START_ARRAY;
    while (valid && json.nextToken() != JsonToken.END_ARRAY) {
      valid = json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getLongValue() >= 0;
      numbers.add(valid ? json.getLongValue() : -1);
    }
    if (!valid) {
      throw SafetensorsException.damaged(
          name + "'s " + field + " is not an array of non-negative integers");
    }
    return List.copyOf(numbers);
  }
}
