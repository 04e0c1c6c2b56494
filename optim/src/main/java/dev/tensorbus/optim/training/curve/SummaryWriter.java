// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import dev.tensorbus.autograd.file.ProtoWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.zip.CRC32C;

/// Writes an event file for TensorBoard. Like `torch.utils.tensorboard.SummaryWriter`.
///
/// ```java
/// try (var writer = new SummaryWriter(Path.of("runs/first"))) {
///   trainer.withListener(writer).fit(training, 10);
/// }
/// ```
///
/// The file is a sequence of TFRecords, each of which contains an `Event` of TensorFlow's
/// event.proto.
public final class SummaryWriter extends ScalarWriter {
  /// The field numbers of `Event`, `Summary` and `Summary.Value`.
  private static final int WALL_TIME = 1;

  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int VALUE = 1;
  private static final int TAG = 1;
  private static final int SIMPLE_VALUE = 2;

  /// Size of a record's length field and its two checksums, in bytes.
  private static final int FRAME = Long.BYTES + 2 * Integer.BYTES;

  private static final int CRC_MASK = 0xa282ead8;

  /// Creates a new file in the folder, and the folder if necessary. TensorBoard treats the files of
  /// one folder as one run.
  ///
  /// @throws UncheckedIOException if the folder cannot be created or written
  public SummaryWriter(Path folder) {
    this(folder, Instant.now());
  }

  private SummaryWriter(Path folder, Instant begun) {
    super(newFile(folder, begun), StandardOpenOption.CREATE_NEW);
    write(record(event(begun).text(FILE_VERSION, "brain.Event:2")));
  }

  private static Path newFile(Path folder, Instant begun) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "folder %s cannot be created (%s); use another folder".formatted(folder, e), e);
    }
    return folder.resolve(
        "events.out.tfevents.%010d.%s.%d.%d"
            .formatted(
                begun.getEpochSecond(),
                hostName(),
                ProcessHandle.current().pid(),
                begun.getNano()));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // a host name is not required
    }
  }

  @Override
  byte[] encode(Instant time, Map<String, Double> values, long step) {
    return record(
        event(time)
            .number(STEP, step)
            .message(
                SUMMARY,
                summary ->
                    values.forEach((tag, value) -> write(summary, tag, value.floatValue()))));
  }

  private static void write(ProtoWriter summary, String tag, float value) {
    summary.message(VALUE, scalar -> scalar.text(TAG, tag).float32(SIMPLE_VALUE, value));
  }

  private static ProtoWriter event(Instant time) {
    return new ProtoWriter().float64(WALL_TIME, time.getEpochSecond() + time.getNano() / 1e9);
  }

  /// Encodes a TFRecord: the length and its checksum, the data and its checksum.
  private static byte[] record(ProtoWriter event) {
    byte[] data = event.toByteArray();
    ByteBuffer record = ByteBuffer.allocate(FRAME + data.length).order(ByteOrder.LITTLE_ENDIAN);
    record.putLong(data.length);
    record.putInt(maskedCrc(record.array(), Long.BYTES));
    record.put(data).putInt(maskedCrc(data, data.length));
    return record.array();
  }

  /// Returns the masked checksum that TFRecords require, since a plain checksum of data that
  /// contains checksums is weak.
  private static int maskedCrc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + CRC_MASK;
  }
}
