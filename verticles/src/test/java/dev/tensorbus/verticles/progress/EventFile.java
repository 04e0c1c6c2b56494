// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Reads TensorBoard's event files by protobuf's own parser, and checks every checksum by its
/// definition, bit by bit. Shares no code with the writer.
public final class EventFile {
  private EventFile() {}

  /// A scalar of an event.
  public record Scalar(double time, long step, String tag, float value) {}

  /// The scalars of a folder's only file, whose first event has to name the version.
  public static List<Scalar> readOnlyOne(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().getFileName().toString())
          .matches("events\\.out\\.tfevents\\.\\d{10}\\..+\\.\\d+\\.\\d+");
      return read(Files.readAllBytes(all.getFirst()));
    }
  }

  private static List<Scalar> read(byte[] bytes) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    UnknownFieldSet first = UnknownFieldSet.parseFrom(record(file));
    assertThat(text(first, 3)).isEqualTo("brain.Event:2");
    List<Scalar> scalars = new ArrayList<>();
    while (file.hasRemaining()) {
      addTo(scalars, UnknownFieldSet.parseFrom(record(file)));
    }
    return scalars;
  }

  private static byte[] record(ByteBuffer file) {
    byte[] length = new byte[Long.BYTES];
    file.get(file.position(), length);
    byte[] data = new byte[Math.toIntExact(file.getLong())];
    assertThat(file.getInt()).as("checksum of the length").isEqualTo(masked(crc32c(length)));
    file.get(data);
    assertThat(file.getInt()).as("checksum of the data").isEqualTo(masked(crc32c(data)));
    return data;
  }

  private static void addTo(List<Scalar> scalars, UnknownFieldSet event)
      throws InvalidProtocolBufferException {
    double time = Double.longBitsToDouble(event.getField(1).getFixed64List().getFirst());
    long step = event.getField(2).getVarintList().getFirst();
    UnknownFieldSet summary = message(event.getField(5).getLengthDelimitedList().getFirst());
    for (ByteString bytes : summary.getField(1).getLengthDelimitedList()) {
      UnknownFieldSet value = message(bytes);
      int bits = value.getField(2).getFixed32List().getFirst();
      scalars.add(new Scalar(time, step, text(value, 1), Float.intBitsToFloat(bits)));
    }
  }

  private static UnknownFieldSet message(ByteString bytes) throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(bytes);
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toString(UTF_8);
  }

  private static int masked(int crc) {
    return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
  }

  private static int crc32c(byte[] bytes) {
    int crc = ~0;
    for (byte each : bytes) {
      crc ^= each & 0xff;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78;
      }
    }
    return ~crc;
  }
}
