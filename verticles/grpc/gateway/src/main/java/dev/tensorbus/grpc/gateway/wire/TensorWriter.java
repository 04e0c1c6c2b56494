// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.ByteString;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.TensorPart;
import java.util.ArrayList;
import java.util.List;

/// Cuts tensors into the parts of a message stream: small ones share a message, large ones have
/// many.
public final class TensorWriter {
  /// Bytes of values in a message: large enough for speed, small enough for others' turns, and
  /// within the 256 KiB that a Vert.x client takes by itself.
  static final int CHUNK = 240 << 10;

  private final Sink sink;
  private List<TensorPart> parts = new ArrayList<>();
  private int bytes;

  private TensorWriter(Sink sink) {
    this.sink = sink;
  }

  /// Where messages go.
  @FunctionalInterface
  public interface Sink {
    /// Sends one; may wait until there is room.
    ///
    /// @param isLast whether it is the last for these tensors
    void send(List<TensorPart> parts, boolean isLast) throws InterruptedException;
  }

  /// Sends all, in one message at least.
  public static void write(List<NamedTensor> tensors, Sink sink) throws InterruptedException {
    TensorWriter writer = new TensorWriter(sink);
    for (NamedTensor tensor : tensors) {
      writer.write(tensor);
    }
    sink.send(writer.parts, true);
  }

  private void write(NamedTensor named) throws InterruptedException {
    Tensor tensor = named.tensor();
    DType dtype = tensor.dtype();
    Object storage = tensor.storage();
    int elements = tensor.shape().elements();
    TensorPart.Builder part = TensorPart.newBuilder().setHead(named.head());
    int done = 0;
    do {
      if (bytes + dtype.bytes() > CHUNK) {
        flush();
      }
      int count = Math.min(elements - done, (CHUNK - bytes) / dtype.bytes());
      ByteString values = Bytes.of(storage, done, count, dtype.bytes());
      parts.add(part.setValues(values).build());
      bytes += values.size();
      done += count;
      part = TensorPart.newBuilder();
    } while (done < elements);
  }

  private void flush() throws InterruptedException {
    sink.send(parts, false);
    parts = new ArrayList<>();
    bytes = 0;
  }
}
