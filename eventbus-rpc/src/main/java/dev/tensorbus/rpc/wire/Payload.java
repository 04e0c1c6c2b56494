// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.ArrayList;
import java.util.List;

/// The arguments or the result of a call: the tensors, and all other values as
/// [dev.tensorbus.rpc.wire.value.ValueCodec] encodes them, with an index in place of each tensor.
///
/// @param transferId the id under which the tensors' values are sent on a lane, or [#IN_MESSAGE] or
///     [#HANDED_OVER]
/// @param tensors the tensors, in the order of their indices
/// @param values everything else
public record Payload(long transferId, List<WireTensor> tensors, byte[] values) {
  /// The transfer id of tensors whose values are in the message itself.
  public static final long IN_MESSAGE = 0;

  /// The transfer id of tensors that are passed as objects to a worker on the same Vertx. Captured
  /// values never change, so they need not be copied.
  public static final long HANDED_OVER = -1;

  private static final int SMALLEST_TENSOR = 3;

  /// The maximum size in bytes, which leaves space in an array for the rest of a message.
  private static final int MOST_BYTES = Integer.MAX_VALUE - (1 << 20);

  /// Creates a payload with all values in the message.
  public Payload(List<WireTensor> tensors, byte[] values) {
    this(IN_MESSAGE, tensors, values);
  }

  /// Returns a copy whose tensors' values are sent on a lane under this transfer id.
  public Payload beside(long newTransferId) {
    return new Payload(newTransferId, tensors, values);
  }

  /// Returns a copy whose tensors are handed over as objects.
  public Payload handedOver() {
    return beside(HANDED_OVER);
  }

  /// Returns a copy with tensors whose values have arrived.
  public Payload arrived(List<WireTensor> filled) {
    return new Payload(IN_MESSAGE, filled, values);
  }

  /// Returns whether the values of tensors are sent on a lane.
  public boolean isBeside() {
    return transferId != IN_MESSAGE && transferId != HANDED_OVER;
  }

  /// Returns the size of all tensors' values in bytes.
  public long tensorBytes() {
    return WireTensor.valueBytes(tensors);
  }

  /// Returns the size of this payload in a message, in bytes.
  ///
  /// @throws WireException if it is too large for one message
  private int messageBytes() {
    long size = bytes();
    if (size > MOST_BYTES) {
      throw new WireException(
          "a message of " + size + " bytes is more than 2 GiB; send the tensors in several calls",
          null);
    }
    return (int) size;
  }

  private long bytes() {
    long sum = (long) Long.BYTES + Integer.BYTES + values.length;
    if (transferId == HANDED_OVER) {
      return sum;
    }
    sum += Integer.BYTES;
    for (WireTensor tensor : tensors) {
      sum += tensor.header().bytes();
    }
    return isBeside() ? sum : sum + tensorBytes();
  }

  /// Writes this payload, and reserves space for `more` bytes after it.
  public void write(Output out, int more) {
    out.expect(messageBytes() + more);
    out.putLong(transferId);
    if (transferId == HANDED_OVER) {
      out.handOver(tensors);
    } else {
      writeTensors(out);
    }
    out.putBytes(values);
  }

  private void writeTensors(Output out) {
    out.putInt(tensors.size());
    for (WireTensor tensor : tensors) {
      tensor.header().write(out);
      if (!isBeside()) {
        out.putValues(tensor.values());
      }
    }
  }

  public static Payload read(Input in) {
    long transferId = in.getLong();
    return transferId == HANDED_OVER
        ? new Payload(in.handedOver(), in.getBytes())
        : new Payload(transferId, readTensors(in, transferId), in.getBytes());
  }

  private static List<WireTensor> readTensors(Input in, long transferId) {
    int count = in.getCount(SMALLEST_TENSOR);
    List<WireTensor> tensors = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      WireTensor tensor = new WireTensor(TensorHeader.read(in), null);
      TensorHeader header = tensor.header();
      tensors.add(
          transferId == IN_MESSAGE
              ? tensor.filled(in.getValues(header.type(), header.count()))
              : tensor);
    }
    return tensors;
  }
}
