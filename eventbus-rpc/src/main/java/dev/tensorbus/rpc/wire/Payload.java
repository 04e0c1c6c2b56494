// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.ArrayList;
import java.util.List;

/// Arguments or a result: the tensors, and the rest as [dev.tensorbus.rpc.wire.value.ValueCodec]
/// encodes it with each tensor's index in its place.
///
/// @param transferId names the values of the tensors if they travel beside the message, or is
///     [#IN_MESSAGE] or [#HANDED_OVER]
/// @param tensors the tensors, in the order of their indices
/// @param values everything else
public record Payload(long transferId, List<WireTensor> tensors, byte[] values) {
  /// The transfer id of tensors whose values the message itself holds.
  public static final long IN_MESSAGE = 0;

  /// The transfer id of tensors that go along with the message as they are: to a worker on the same
  /// Vertx. Values never change under a reader, so nobody has to copy them.
  public static final long HANDED_OVER = -1;

  private static final int SMALLEST_TENSOR = 3;

  /// The most bytes that leave room in an array for the rest of a message.
  private static final int MOST_BYTES = Integer.MAX_VALUE - (1 << 20);

  /// A message that holds everything.
  public Payload(List<WireTensor> tensors, byte[] values) {
    this(IN_MESSAGE, tensors, values);
  }

  /// The same, while the values of the tensors travel beside the message under this transfer id.
  public Payload beside(long newTransferId) {
    return new Payload(newTransferId, tensors, values);
  }

  /// The same, while the tensors go along as they are.
  public Payload handedOver() {
    return beside(HANDED_OVER);
  }

  /// The same with tensors whose values have arrived.
  public Payload arrived(List<WireTensor> filled) {
    return new Payload(IN_MESSAGE, filled, values);
  }

  /// Whether values of tensors travel beside the message.
  public boolean isBeside() {
    return transferId != IN_MESSAGE && transferId != HANDED_OVER;
  }

  /// The size of all tensors' values.
  public long tensorBytes() {
    return WireTensor.valueBytes(tensors);
  }

  /// The size of this in a message.
  ///
  /// @throws WireException if it is more than one message can hold
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

  /// Writes this as the last of a message but for `more` bytes.
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
